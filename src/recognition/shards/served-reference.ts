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
import { type ConnectionNeeds, ReferenceServer } from './reference-server.ts'
import type { Shard, ShardQuery } from './shards-view.ts'
import { readShortlist } from './shortlist-message.ts'

interface ServedNeeds extends ConnectionNeeds {
  /** Seconds in which each server must answer a question. */
  patience: number
}

const sizeSchema = z.object({ songs: z.int().min(0), importedKeys: z.boolean() })
const bytesSchema = z.instanceof(Uint8Array)

/** What a reference shares with its copies for optional calls. */
interface SharedServers {
  /** The server that answered last is the first. */
  inOrder: ReferenceServer[]
  /** Why no server answered, and until when optional calls ask none. */
  away: { problem: AudileError; until: number } | undefined
}

/** A reference that other processes serve. If one server is away, the next one is asked. */
export class ServedReference {
  /** Its first address, as the option `references` has it. */
  readonly name: string
  /** Whether the database is opened without it. */
  readonly mayBeAway: boolean
  readonly #config: ServedReferenceConfig
  readonly #needs: ServedNeeds
  readonly #servers: SharedServers
  readonly #isOptional: boolean
  readonly #problems = new WeakSet<Error>()

  constructor(config: ServedReferenceConfig, needs: ServedNeeds, servers?: SharedServers) {
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

  /** The same reference for an optional call, which does not wait for an absent server. */
  withoutWaiting(): ServedReference {
    return new ServedReference(this.#config, this.#needs, this.#servers)
  }

  hasFailedWith(error: unknown): boolean {
    return this.#problems.has(error as Error)
  }

  /**
   * Asks it once. @throws {DatabaseError} when it cannot be asked, unless it may be away @throws
   * {KeyError} when it refuses the key
   */
  async checkServer(): Promise<void> {
    try {
      await this.askSize()
    } catch (error) {
      if (!this.mayBeAway || !this.#servers.away) throw error
      this.#needs.host.log('warn', messageOf(error))
    }
  }

  askSize(signal?: AbortSignal): Promise<z.output<typeof sizeSchema>> {
    return this.askServers('song/shard-size', {}, (answer) => sizeSchema.parse(answer), signal)
  }

  async openShard(signal: AbortSignal): Promise<Shard> {
    const { songs } = await this.askSize(signal)
    return {
      name: this.name,
      songs,
      frequencies: (family, codes) => this.#askFrequencies(family, codes, signal),
      shortlist: (query) => this.#askShortlist(query, songs, signal),
    }
  }

  #askFrequencies(family: Family, codes: Uint32Array, signal: AbortSignal): Promise<Uint32Array> {
    const readAnswer = (answer: unknown) => {
      const frequencies = unpackNumbers(bytesSchema.parse(answer))
      if (frequencies.length === codes.length) return frequencies
      throw new Error(`of ${codes.length} codes it says how frequent ${frequencies.length} are`)
    }
    const params = { family, codes: packCodes(codes) }
    return this.askServers('song/shard-frequencies', params, readAnswer, signal)
  }

  #askShortlist(
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
    return this.askServers('song/shard-shortlist', params, readShortlist, signal)
  }

  /**
   * Calls a method; `read` throws when the answer is invalid. @throws {DatabaseError} when no
   * server answers in time, or one fails @throws {KeyError} when one refuses the key
   */
  async askServers<T>(
    method: string,
    params: unknown,
    read: (answer: unknown) => T,
    signal?: AbortSignal,
  ): Promise<T> {
    const { away, inOrder } = this.#servers
    if (this.#isOptional && away && performance.now() < away.until)
      throw this.#noteProblem(away.problem)
    const failures: unknown[] = []
    const connected = inOrder.filter((server) => !server.isLost)
    // Servers with a lost connection are asked last, all at once.
    for (const servers of [
      ...connected.map((server) => [server]),
      inOrder.filter((server) => server.isLost),
    ]) {
      const asked = servers.map(async (server) => {
        return { server, answer: read(await this.#askServer(server, method, params, signal)) }
      })
      try {
        const { server, answer } = await Promise.any(asked)
        this.#servers.inOrder = [server, ...inOrder.filter((other) => other !== server)]
        this.#servers.away = undefined
        return answer
      } catch (error) {
        signal?.throwIfAborted()
        const { errors } = error as AggregateError
        const fault = errors.find((cause) => !isAway(cause))
        if (fault) throw this.#describeFailure([fault])
        failures.push(...errors)
      }
    }
    const problem = this.#describeFailure(failures)
    this.#servers.away = { problem, until: performance.now() + 1000 * this.#needs.patience }
    throw problem
  }

  async #askServer(
    server: ReferenceServer,
    method: string,
    params: unknown,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    if (this.#isOptional && server.isLost)
      throw new ClosedError(`The connection to ${server.engineAddress} was lost.`)
    const { patience } = this.#needs
    const createTimeout = () =>
      new AudileError(
        'not_ready',
        `${server.engineAddress} did not answer within ${patience} s (limits.referenceSeconds)`,
      )
    return withDeadline(signal, 1000 * patience, createTimeout, (until) =>
      server.callMethod(method, params, until),
    )
  }

  #describeFailure(causes: unknown[]): AudileError {
    const [cause] = causes
    const isOther = cause instanceof z.ZodError
    const reasons = new Set(causes.map((cause) => messageOf(cause).replace(/\.$/, '')))
    const why = isOther ? 'it answers as another version does' : [...reasons].join('; ')
    const message = `The reference ${this.name} cannot be asked: ${why}`
    if (cause instanceof KeyError) {
      const remedy = 'give the apiKey of its database in the option references'
      return this.#noteProblem(new KeyError(cause.code, `${message}; ${remedy}.`, { cause }))
    }
    const remedy = isAway(cause) ? '; see that its database is open and served there' : ''
    return this.#noteProblem(new DatabaseError(`${message}${remedy}.`, { cause }))
  }

  #noteProblem<E extends Error>(error: E): E {
    this.#problems.add(error)
    return error
  }

  async closeServers(): Promise<void> {
    await Promise.all(this.#servers.inOrder.map((server) => server.closeConnection()))
  }
}

function isAway(error: unknown): boolean {
  return error instanceof AudileError && ['closed', 'not_ready'].includes(error.code)
}
