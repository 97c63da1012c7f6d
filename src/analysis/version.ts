/** The version of the analyser. Change it with any result, so that stored analyses can be told apart. */
export const ANALYZER_VERSION: string = '1.4.0'
