import { invalidParameter, limitExceeded, type ParameterError } from '../values/errors.ts'
import { type Bytes, ParameterBuffer, streamOf } from './buffered-bytes.ts'
import type { WireLimits } from './options.ts'

/** The parameter of a method that holds a file, or JSON of any size. */
export interface FileParameter {
  name: string
  limit: 'uploadBytes' | 'updateBytes' | 'queryBytes'
  /** Whether it is text, which can also be in the URL or an urlencoded body. */
  text: boolean
}

export class RequestForm {
  readonly pairs: [name: string, value: string][] = []
  readonly fileParameter: FileParameter | undefined
  readonly #limits: Readonly<WireLimits>
  /** Browsers send an empty file if none was chosen. */
  emptyFile = false
  file: Bytes | undefined
  #buffers: ParameterBuffer[] = []
  #bytes = 0

  constructor(fileParameter: FileParameter | undefined, limits: Readonly<WireLimits>) {
    this.fileParameter = fileParameter
    this.#limits = limits
  }

  /** Adds a parameter; many clients send empty ones, which are left out. */
  addPair(name: string, value: string): void {
    if (value.trim() === '') return
    if (this.fileParameter?.text === true && name === this.fileParameter.name) {
      this.addFile(streamOf([Buffer.from(value)]))
      return
    }
    this.#bytes += name.length + value.length
    if (this.#bytes > this.#limits.parameterBytes) throw this.limitError('parameterBytes')
    if (this.pairs.length >= this.#limits.parameters) throw this.limitError('parameters')
    this.pairs.push([name, value])
  }

  openBuffer({ name, limit }: FileParameter): ParameterBuffer {
    const buffer = new ParameterBuffer(name, { name: limit, bytes: this.#limits[limit] })
    this.#buffers.push(buffer)
    return buffer
  }

  addFile(bytes: Bytes): void {
    if (this.file) {
      throw invalidParameter(`${this.fileParameter?.name}`, 'it is given twice; give it once')
    }
    this.file = bytes
  }

  limitError(limit: 'parameterBytes' | 'parameters'): ParameterError {
    const maximum = this.#limits[limit]
    const exceededLimit =
      limit === 'parameters' ? `${maximum} parameters` : `${maximum} bytes of parameters`
    return limitExceeded('method', `more than the ${exceededLimit} of limits.${limit}`)
  }

  async dispose(): Promise<void> {
    const buffers = this.#buffers
    this.#buffers = []
    for (const buffer of buffers) await buffer.dispose()
  }
}

export function unreadableBody(reason: string): ParameterError {
  return invalidParameter('method', `the body cannot be read: ${reason}`)
}
