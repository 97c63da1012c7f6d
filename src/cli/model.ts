import { addSoundModel, removeSoundModel, soundModels } from '../index.ts'
import type { Voice } from './index-tasks.ts'
import { readOptions, UsageError } from './options.ts'

export type ModelRequest = { task: 'add'; from: string | undefined } | { task: 'list' | 'remove' }

const MODEL_TASKS = ['add', 'list', 'remove'] as const

export const MODEL_HELP = `usage: audile model add [FILE-OR-ADDRESS]
       audile model list
       audile model remove

The network that names sounds: voices, applause, instruments. It is YAMNet, by
Google, under the Apache License 2.0, 4 MB, and no part of audile.

add     fetches it from its source, or takes it from a file or another address;
        checks its SHA-256; and keeps it beside the personal database, where the
        option soundModel: 'installed' of Audile.open finds it
list    prints a line of JSON for each network: where it is, and whether it is
        installed
remove  removes it

  -h, --help            print this text
`

/** A file or folder may be called `model` too. */
export function isModelCall([first, task]: readonly string[]): boolean {
  return first === 'model' && (task === undefined || task.startsWith('-') || isModelTask(task))
}

function isModelTask(text: string): text is (typeof MODEL_TASKS)[number] {
  return (MODEL_TASKS as readonly string[]).includes(text)
}

/** @throws {UsageError} on an unknown option or task, or on too many arguments */
export function parseModel(args: readonly string[]): ModelRequest | 'help' {
  const { values, positionals } = readOptions({
    args: [...args],
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h', default: false } },
  })
  if (values.help) return 'help'
  const [task, from, another] = positionals
  if (task === undefined || !isModelTask(task))
    throw new UsageError(`audile model needs one of ${MODEL_TASKS.join(', ')}.`)
  const extra = task === 'add' ? another : from
  if (extra !== undefined) throw new UsageError(`"${extra}" is more than model ${task} takes.`)
  return task === 'add' ? { task, from } : { task }
}

/** @returns the exit status */
export async function runModelTask(request: ModelRequest, voice: Voice): Promise<number> {
  if (request.task === 'add') {
    voice.say('Fetching the network')
    const { path } = await addSoundModel({ from: request.from, signal: voice.signal })
    await voice.print(`${path}\n`)
  } else if (request.task === 'list') {
    for (const model of await soundModels()) await voice.print(`${JSON.stringify(model)}\n`)
  } else if (!(await removeSoundModel())) {
    await voice.tell('No network is installed.')
    return 1
  }
  return 0
}
