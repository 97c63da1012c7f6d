/** Of the analyser. Whatever changes a result changes it, so that stored analyses can be told apart. */
export const ANALYZER_VERSION: string = '1.4.0'
