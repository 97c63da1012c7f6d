import { invalidParameter, limitExceeded, type ParameterError } from '../values/errors.ts'
import { type Bytes, Holder, listed } from './buffered-bytes.ts'
import type { WireLimits } from './options.ts'

/** The parameter of a method that holds a file, or JSON of any size. */
export interface FileParameter {
  name: string
  limit: 'uploadBytes' | 'updateBytes' | 'queryBytes'
  /** Whether it is text, which can also be in the URL or an urlencoded body. */
  text: boolean
}

/** The parameters of a request, from its URL and its body, and the bytes of its file parameter. */
export class Form {
  readonly pairs: [name: string, value: string][] = []
  readonly fileParameter: FileParameter | undefined
  readonly #limits: Readonly<WireLimits>
  /** Whether an empty file was sent. Browsers send one if no file was chosen. */
  emptyFile = false
  file: Bytes | undefined
  #holders: Holder[] = []
  #bytes = 0

  constructor(fileParameter: FileParameter | undefined, limits: Readonly<WireLimits>) {
    this.fileParameter = fileParameter
    this.#limits = limits
  }

  /** Adds a parameter. Empty ones, which many clients send, are left out. */
  add(name: string, value: string): void {
    if (value.trim() === '') return
    if (this.fileParameter?.text === true && name === this.fileParameter.name) {
      this.addFile(listed([Buffer.from(value)]))
      return
    }
    this.#bytes += name.length + value.length
    if (this.#bytes > this.#limits.parameterBytes) throw this.exceeded('parameterBytes')
    if (this.pairs.length >= this.#limits.parameters) throw this.exceeded('parameters')
    this.pairs.push([name, value])
  }

  hold({ name, limit }: FileParameter): Holder {
    const holder = new Holder(name, { name: limit, bytes: this.#limits[limit] })
    this.#holders.push(holder)
    return holder
  }

  addFile(bytes: Bytes): void {
    if (this.file) {
      throw invalidParameter(`${this.fileParameter?.name}`, 'it is given twice; give it once')
    }
    this.file = bytes
  }

  exceeded(limit: 'parameterBytes' | 'parameters'): ParameterError {
    const most = this.#limits[limit]
    const what = limit === 'parameters' ? `${most} parameters` : `${most} bytes of parameters`
    return limitExceeded('method', `more than the ${what} of limits.${limit}`)
  }

  async dispose(): Promise<void> {
    const holders = this.#holders
    this.#holders = []
    for (const holder of holders) await holder.dispose()
  }
}

/** The error for a body that does not match its content type. */
export function unreadable(why: string): ParameterError {
  return invalidParameter('method', `the body cannot be read: ${why}`)
}
