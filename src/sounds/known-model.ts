/**
 * The network that audile knows: YAMNet, which tells the 521 classes of AudioSet apart, by Google,
 * under the Apache License 2.0. It is no part of audile.
 */
export const SOUND_MODEL = {
  name: 'yamnet',
  file: 'yamnet_spectra_in.tflite',
  bytes: 4_047_424,
  sha256: '0a266465c46718f3fcc4137366be82882a8c93bfcc4f0278581a11d11dddcdf9',
  url: 'https://raw.githubusercontent.com/google-coral/coralmicro/c9f665b0a8b973d35cb9d383b3e92e9f14b4dd72/models/yamnet_spectra_in.tflite',
  license: 'Apache-2.0',
} as const
