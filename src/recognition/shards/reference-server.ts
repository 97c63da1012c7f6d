import { unlessAborted } from '../../kernel/abort.ts'
import type { Host } from '../../kernel/host.ts'
import type { ConnectOther, EngineTarget, OtherEngine } from '../../kernel/other-engine.ts'
import { ClosedError } from '../../values/errors.ts'

export interface ConnectionNeeds {
  connect: ConnectOther
  host: Pick<Host, 'log'>
}

/** An engine that serves a reference; a call connects when no connection is open. */
export class ReferenceServer {
  #connecting: Promise<OtherEngine> | undefined
  #engine: OtherEngine | undefined
  #closed = false

  constructor(
    private readonly target: EngineTarget,
    private readonly needs: ConnectionNeeds,
  ) {}

  get engineAddress(): string {
    return this.target.engine
  }

  get isLost(): boolean {
    return this.#engine?.isLost === true
  }

  async callMethod(method: string, params: unknown, until: AbortSignal): Promise<unknown> {
    for (;;) {
      const engine = await unlessAborted(this.#openEngine(), until)
      try {
        return await engine.call(method, params, until)
      } catch (error) {
        // A call that was lost with its connection is repeated over the next one.
        if (until.aborted || !engine.ended.aborted) throw error
      }
    }
  }

  #openEngine(): Promise<OtherEngine> {
    if (this.#closed) throw new ClosedError()
    if (this.#engine?.ended.aborted) this.#forgetEngine()
    this.#connecting ??= this.#connectEngine()
    return this.#connecting
  }

  async #connectEngine(): Promise<OtherEngine> {
    const { connect, host } = this.needs
    try {
      this.#engine = await connect(this.target, (level, message, detail) =>
        host.log(level, message, detail),
      )
      return this.#engine
    } catch (error) {
      this.#forgetEngine()
      throw error
    }
  }

  #forgetEngine(): void {
    this.#engine = undefined
    this.#connecting = undefined
  }

  async closeConnection(): Promise<void> {
    this.#closed = true
    // An engine that cannot be reached has nothing to close.
    await this.#connecting?.then((engine) => engine.close()).catch(() => {})
  }
}
