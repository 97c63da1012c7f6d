import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Audile } from '../../../src/index.ts'
import { BASE_CODED, BASE_SONGS, baseEntries, baseSong, songOf } from './deeds/base.ts'
import { type Checked, Ledger } from './ledger.ts'
import { settled } from './settle.ts'
import { flawsOf } from './soundness.ts'

/** The built package, as the driver uses it. */
export type Package = { Audile: typeof Audile }

/** A database that faults are done to, and the ledger of what must be in it. */
export class Stage {
  readonly folder: string
  readonly database: string
  readonly catalogs: readonly string[]
  readonly ledger: Ledger
  readonly #package: Package

  private constructor(
    folder: string,
    own: { catalogs: readonly string[]; ledger: Ledger; package: Package },
  ) {
    this.folder = folder
    this.database = join(folder, 'music.db')
    this.catalogs = own.catalogs
    this.ledger = own.ledger
    this.#package = own.package
  }

  /** Makes a database that holds some songs and catalogs. */
  static async make(folder: string, built: Package): Promise<Stage> {
    mkdirSync(folder, { recursive: true })
    const music = await built.Audile.open({ database: join(folder, 'music.db') })
    const songs = Array.from({ length: BASE_SONGS }, (_, i) => songOf(baseSong(i), i < BASE_CODED))
    await music.songs.import(songs)
    const catalogs: string[] = []
    for (const name of ['one', 'two']) {
      const catalog = await music.catalogs.create({ name, type: 'song' })
      await (await catalog.update(baseEntries())).done()
      catalogs.push(catalog.id)
    }
    await music.close()
    return new Stage(folder, { catalogs, ledger: new Ledger(), package: built })
  }

  /** A copy of it in another folder; nobody may have it open. */
  copy(folder: string): Stage {
    mkdirSync(folder, { recursive: true })
    for (const part of ['', '-wal', '-audio']) {
      const path = `${this.database}${part}`
      if (existsSync(path)) cpSync(path, join(folder, `music.db${part}`), { recursive: true })
    }
    const { catalogs, ledger } = this
    return new Stage(folder, { catalogs, ledger: ledger.copy(), package: this.#package })
  }

  /**
   * Opens the database as the next process would, waits for its jobs to end, and looks for everything
   * that was answered.
   *
   * @param cut - the process whose end may be lost with the end of the log
   */
  async check(cut?: string): Promise<Checked> {
    const wrong: string[] = []
    try {
      await this.#comeToRest()
    } catch (error) {
      return { checked: 0, wrong: [`not opened again: ${(error as Error).stack}`] }
    }
    const database = new Sqlite(this.database, { readonly: true })
    try {
      const left = database.prepare<[], number>('SELECT count(*) FROM engines').pluck().get()
      if (left !== 0) wrong.push(`${left} engines are taken for alive`)
      wrong.push(...flawsOf(database))
      const { checked, wrong: lost } =
        cut === undefined ? this.ledger.check(database) : this.ledger.checkPrefix(database, cut)
      return { checked, wrong: [...wrong, ...lost] }
    } finally {
      database.close()
    }
  }

  /** As {@link check}, when also those jobs have been done that wait for their time. */
  async finish(): Promise<Checked> {
    // A clock that is ahead: what waits some seconds, or an hour, is due at once.
    const ahead = 7_200_000
    const now = () => Date.now() + ahead
    const own: string[] = []
    try {
      await this.#comeToRest(now, async (music) => {
        const { problems } = await music.check()
        for (const { message } of problems) own.push(`check() tells: ${message}`)
      })
    } catch (error) {
      return { checked: 0, wrong: [`did not come to its end: ${(error as Error).stack}`] }
    }
    const { checked, wrong } = await this.check()
    return { checked, wrong: [...own, ...wrong] }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  async #comeToRest(
    now: () => number = Date.now,
    last?: (music: Audile) => Promise<void>,
  ): Promise<void> {
    // On this thread, where the code is warm: starting threads would take longer than the check.
    const music = await this.#package.Audile.open({
      database: this.database,
      engine: 'inline',
      workers: 0,
      now,
    })
    try {
      await settled(music, this.database, now)
      await last?.(music)
    } finally {
      await music.close()
    }
  }
}
