/** The part of fft.js that audile uses; the package has no types. */
declare module 'fft.js' {
  export default class FFT {
    constructor(size: number)
    /** Writes bins 0…size/2 of a real signal as (re, im) pairs into `out`, of length 2·size. */
    realTransform(out: Float64Array, data: Float64Array): void
  }
}
