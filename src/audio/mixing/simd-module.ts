// Made of kernel.as by `npm run build:wasm`; run it again instead of editing this.

/** The module, 211 bytes, as base64. */
export const MIXING_MODULE =
  'AGFzbQEAAAABCwFgBn9/f39/fQF/AwIBAAUEAQEDAwcRAgRtZWFuAAAGbWVtb3J5AgAKngEBmwEBA3sgBf0TIQf9DP////////////////////8hBiACIANBAnRqIQMDQCACIANJBEAgBiAA/QAEACIGIAH9AAQA/eQB/QwAAAA/AAAAPwAAAD8AAAA//eYBIgggBv3kASAIIAQbIgj94AEgB/1F/U4hBiACIAj9CwQAIAJBEGohAiAAQRBqIQAgAUEQaiEBDAELCyAG/aMBQQBHCw=='
