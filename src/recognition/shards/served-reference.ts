import { z } from 'zod'
import { AudileError, ClosedError, DatabaseError, KeyError, messageOf } from '../../errors.ts'
import { unlessAborted, withDeadline } from '../../kernel/abort.ts'
import type { Host } from '../../kernel/host.ts'
import type { ConnectOther, EngineTarget, OtherEngine } from '../../kernel/other-engine.ts'
import type { ServedReferenceConfig } from '../../reference-options.ts'
import type { Family } from '../systems/version.ts'
import { packCodes, packQuery, unpackNumbers } from './packed.ts'
import type { Shard, ShardQuery } from './shards-view.ts'
import { readShortlist } from './shortlist-message.ts'

/** What a reference needs of its engine. */
interface Needs {
  connect: ConnectOther
  host: Pick<Host, 'log'>
  /** Seconds in which each question must be answered. */
  patience: number
}

const sizeSchema = z.object({ songs: z.int().min(0), importedKeys: z.boolean() })
const bytesSchema = z.instanceof(Uint8Array)

/**
 * A reference that another process serves. A lost connection is made again, at the latest by the next
 * question.
 */
export class ServedReference {
  /** Its address, as the option `references` has it. */
  readonly name: string
  readonly #target: EngineTarget
  readonly #needs: Needs
  #engine: Promise<OtherEngine> | undefined
  #closed = false

  constructor({ name, apiKey, tls }: ServedReferenceConfig, needs: Needs) {
    this.name = name
    this.#target = { engine: name, apiKey, tls }
    this.#needs = needs
  }

  /**
   * Asks it once, to see that it is there.
   *
   * @throws {DatabaseError} when it is not
   * @throws {KeyError} when it refuses the key
   */
  async open(): Promise<void> {
    await this.size()
  }

  /** How many numbers its recordings have, and whether some of them have codes of system A. */
  size(signal?: AbortSignal): Promise<z.output<typeof sizeSchema>> {
    return this.ask('song/shard-size', {}, (answer) => sizeSchema.parse(answer), signal)
  }

  /** Its index as it is now, for one search. */
  async shard(signal: AbortSignal): Promise<Shard> {
    const { songs } = await this.size(signal)
    return {
      ...{ name: this.name, songs },
      frequencies: (family, codes) => this.#frequencies(family, codes, signal),
      shortlist: (asked) => this.#shortlist(asked, songs, signal),
    }
  }

  #frequencies(family: Family, codes: Uint32Array, signal: AbortSignal): Promise<Uint32Array> {
    const read = (answer: unknown) => {
      const found = unpackNumbers(bytesSchema.parse(answer))
      if (found.length === codes.length) return found
      throw new Error(`of ${codes.length} codes it says how frequent ${found.length} are`)
    }
    const params = { family, codes: packCodes(codes) }
    return this.ask('song/shard-frequencies', params, read, signal)
  }

  #shortlist(
    { family, query, codes, rules, songs }: ShardQuery,
    end: number,
    signal: AbortSignal,
  ): ReturnType<Shard['shortlist']> {
    const { bin, common, shortlist, rates } = rules
    const params = {
      ...{ family, end, songs, query: packQuery(query, codes) },
      ...{ origin: query.origin, last: query.last },
      ...{ bin, common, shortlist, rates: [...rates] },
    }
    return this.ask('song/shard-shortlist', params, readShortlist, signal)
  }

  /**
   * Calls a method of its engine.
   *
   * @param read - reads the answer, and throws when it is none
   * @throws {DatabaseError} when it does not answer in time, or fails; the message names it
   * @throws {KeyError} when it refuses the key
   * @throws the signal's reason when it aborts
   */
  async ask<T>(
    method: string,
    params: unknown,
    read: (answer: unknown) => T,
    signal?: AbortSignal,
  ): Promise<T> {
    const { patience } = this.#needs
    const late = () =>
      new AudileError(
        'not_ready',
        `it did not answer within ${patience} s (limits.referenceSeconds)`,
      )
    try {
      return await withDeadline(signal, 1000 * patience, late, async (until) => {
        return read(await this.#call(method, params, until))
      })
    } catch (error) {
      signal?.throwIfAborted()
      throw this.#problem(error)
    }
  }

  async #call(method: string, params: unknown, until: AbortSignal): Promise<unknown> {
    for (;;) {
      const engine = await unlessAborted(this.#connected(), until)
      try {
        return await engine.call(method, params, until)
      } catch (error) {
        // What was lost with the connection is asked of the next one: all that is asked only reads.
        if (until.aborted || !engine.ended.aborted) throw error
      }
    }
  }

  async #connected(): Promise<OtherEngine> {
    if (this.#closed) throw new ClosedError()
    const { connect, host } = this.#needs
    const known = this.#engine
    if (known) {
      const engine = await known
      if (!engine.ended.aborted) return engine
    }
    // Others may have asked for it meanwhile.
    if (this.#engine === known) {
      const connecting = connect(this.#target, (level, message, detail) =>
        host.log(level, message, detail),
      )
      this.#engine = connecting
      connecting.catch(() => {
        if (this.#engine === connecting) this.#engine = undefined
      })
    }
    return this.#engine as Promise<OtherEngine>
  }

  #problem(cause: unknown): AudileError {
    const said = messageOf(cause).replace(/\.$/, '')
    const why = cause instanceof z.ZodError ? 'it answers as another version does' : said
    const message = `The reference ${this.name} cannot be asked: ${why}`
    if (cause instanceof KeyError) {
      const remedy = 'give the apiKey of its database in the option references'
      return new KeyError(cause.code, `${message}; ${remedy}.`, { cause })
    }
    const remedy = isAway(cause) ? '; see that its database is open and served there' : ''
    return new DatabaseError(`${message}${remedy}.`, { cause })
  }

  async close(): Promise<void> {
    this.#closed = true
    const engine = this.#engine
    // One that cannot be reached has nothing to close.
    await engine?.then((opened) => opened.close()).catch(() => {})
  }
}

function isAway(error: unknown): boolean {
  return error instanceof AudileError && ['closed', 'not_ready'].includes(error.code)
}
