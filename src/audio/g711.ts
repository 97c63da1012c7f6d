/** The values of the 256 codes of μ-law, ITU-T G.711 table 2, over −1…1. */
export const MULAW: Float32Array = Float32Array.from({ length: 256 }, (_, code) => {
  const bits = ~code & 0xff
  const segment = (bits >> 4) & 7
  // The 14-bit law scaled to 16 bits: a bias of 33 · 4 = 132.
  const magnitude = ((((bits & 15) << 3) + 132) << segment) - 132
  return (bits & 0x80 ? -magnitude : magnitude) / 32_768
})

/** The values of the 256 codes of A-law, ITU-T G.711 table 1, over −1…1. */
export const ALAW: Float32Array = Float32Array.from({ length: 256 }, (_, code) => {
  const bits = code ^ 0x55
  const segment = (bits >> 4) & 7
  const step = ((bits & 15) << 4) + 8
  const magnitude = segment === 0 ? step : (step + 256) << (segment - 1)
  return (bits & 0x80 ? magnitude : -magnitude) / 32_768
})
