/** The bytes of a typed array, without a copy. */
export const bytesOf = (values: ArrayBufferView): Buffer =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength)
