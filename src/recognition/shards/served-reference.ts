import { z } from 'zod'
import { withDeadline } from '../../kernel/abort.ts'
import { performance } from '../../kernel/timers.ts'
import type { ServedReferenceConfig } from '../../options/reference-options.ts'
import {
  AudileError,
  ClosedError,
  DatabaseError,
  KeyError,
  messageOf,
} from '../../values/errors.ts'
import type { Family } from '../systems/version.ts'
import { packCodes, packQuery, unpackNumbers } from './packed.ts'
import { type Connecting, ReferenceServer } from './reference-server.ts'
import type { Shard, ShardQuery } from './shards-view.ts'
import { readShortlist } from './shortlist-message.ts'

interface Needs extends Connecting {
  /** Seconds in which each server must answer a question. */
  patience: number
}

const sizeSchema = z.object({ songs: z.int().min(0), importedKeys: z.boolean() })
const bytesSchema = z.instanceof(Uint8Array)

/** The state that a reference shares with its {@link ServedReference.optional} copies. */
interface Servers {
  /** The server that answered last is the first. */
  inOrder: ReferenceServer[]
  /** Why no server answered, and until when optional calls ask no server. */
  away: { problem: AudileError; until: number } | undefined
}

/**
 * A reference that other processes serve. If one server is away, the next one is asked. A lost
 * connection is restored at the latest by the next question.
 */
export class ServedReference {
  /** Its first address, as the option `references` has it. */
  readonly name: string
  /** Whether the database is opened without it. */
  readonly mayBeAway: boolean
  readonly #config: ServedReferenceConfig
  readonly #needs: Needs
  readonly #servers: Servers
  readonly #isOptional: boolean
  readonly #problems = new WeakSet<Error>()

  /** @param servers - of the same reference. Default: new ones */
  constructor(config: ServedReferenceConfig, needs: Needs, servers?: Servers) {
    const { name, engines, apiKey, tls, partial } = config
    this.name = name
    this.mayBeAway = partial
    this.#config = config
    this.#needs = needs
    this.#isOptional = servers !== undefined
    this.#servers = servers ?? {
      inOrder: engines.map((engine) => new ReferenceServer({ engine, apiKey, tls }, needs)),
      away: undefined,
    }
  }

  /** The same reference for an optional call, which does not wait for a server known to be away. */
  optional(): ServedReference {
    return new ServedReference(this.#config, this.#needs, this.#servers)
  }

  /** Whether an error says that this reference could not be asked. */
  hasFailedWith(error: unknown): boolean {
    return this.#problems.has(error as Error)
  }

  /**
   * Asks it once, to check that a server answers.
   *
   * @throws {DatabaseError} when it cannot be asked, unless it may be away
   * @throws {KeyError} when it refuses the key
   */
  async open(): Promise<void> {
    try {
      await this.size()
    } catch (error) {
      if (!this.mayBeAway || !this.#servers.away) throw error
      this.#needs.host.log('warn', messageOf(error))
    }
  }

  /** How many numbers its recordings have, and whether some of them have codes of system A. */
  size(signal?: AbortSignal): Promise<z.output<typeof sizeSchema>> {
    return this.ask('song/shard-size', {}, (answer) => sizeSchema.parse(answer), signal)
  }

  /** Its index as it is now, for one search. */
  async shard(signal: AbortSignal): Promise<Shard> {
    const { songs } = await this.size(signal)
    return {
      name: this.name,
      songs,
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
      family,
      end,
      songs,
      query: packQuery(query, codes),
      origin: query.origin,
      last: query.last,
      bin,
      common,
      shortlist,
      rates: [...rates],
    }
    return this.ask('song/shard-shortlist', params, readShortlist, signal)
  }

  /**
   * Calls a method of its engine.
   *
   * @param read - reads the answer, and throws when it is invalid
   * @throws {DatabaseError} when no server answers in time, or one fails; the message names it
   * @throws {KeyError} when one refuses the key
   * @throws the signal's reason when it aborts
   */
  async ask<T>(
    method: string,
    params: unknown,
    read: (answer: unknown) => T,
    signal?: AbortSignal,
  ): Promise<T> {
    const { away, inOrder } = this.#servers
    if (this.#isOptional && away && performance.now() < away.until) throw this.#noted(away.problem)
    const failures: unknown[] = []
    const there = inOrder.filter((one) => !one.isLost)
    // Servers with a lost connection are asked last, all at once.
    for (const some of [...there.map((one) => [one]), inOrder.filter((one) => one.isLost)]) {
      const asked = some.map(async (server) => {
        return { server, answer: read(await this.#askOf(server, method, params, signal)) }
      })
      try {
        const { server, answer } = await Promise.any(asked)
        this.#servers.inOrder = [server, ...inOrder.filter((one) => one !== server)]
        this.#servers.away = undefined
        return answer
      } catch (error) {
        signal?.throwIfAborted()
        const { errors } = error as AggregateError
        const fault = errors.find((one) => !isAway(one))
        if (fault) throw this.#problem([fault])
        failures.push(...errors)
      }
    }
    const problem = this.#problem(failures)
    this.#servers.away = { problem, until: performance.now() + 1000 * this.#needs.patience }
    throw problem
  }

  async #askOf(
    server: ReferenceServer,
    method: string,
    params: unknown,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    if (this.#isOptional && server.isLost)
      throw new ClosedError(`The connection to ${server.address} was lost.`)
    const { patience } = this.#needs
    const late = () =>
      new AudileError(
        'not_ready',
        `${server.address} did not answer within ${patience} s (limits.referenceSeconds)`,
      )
    return withDeadline(signal, 1000 * patience, late, (until) =>
      server.call(method, params, until),
    )
  }

  #problem(causes: unknown[]): AudileError {
    const [cause] = causes
    const isOther = cause instanceof z.ZodError
    const said = new Set(causes.map((one) => messageOf(one).replace(/\.$/, '')))
    const why = isOther ? 'it answers as another version does' : [...said].join('; ')
    const message = `The reference ${this.name} cannot be asked: ${why}`
    if (cause instanceof KeyError) {
      const remedy = 'give the apiKey of its database in the option references'
      return this.#noted(new KeyError(cause.code, `${message}; ${remedy}.`, { cause }))
    }
    const remedy = isAway(cause) ? '; see that its database is open and served there' : ''
    return this.#noted(new DatabaseError(`${message}${remedy}.`, { cause }))
  }

  #noted<E extends Error>(error: E): E {
    this.#problems.add(error)
    return error
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.inOrder.map((one) => one.close()))
  }
}

function isAway(error: unknown): boolean {
  return error instanceof AudileError && ['closed', 'not_ready'].includes(error.code)
}
