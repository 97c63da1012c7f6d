import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { Audile, type Track } from '../../../src/index.ts'
import { analyzeSound, registerFiles, type SoundAnalysis } from './trial.ts'

/** Something that a file has besides its bytes. */
interface Attribute {
  name: string
  /** Throws where this machine has no such thing. */
  prepare(path: string): void
  look(path: string): string
}

const ownership = (path: string) => {
  const { mode, uid, gid } = statSync(path)
  return `${mode.toString(8)} ${uid}:${gid}`
}
const output = (program: string, ...options: string[]) =>
  execFileSync(program, options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
const acl = (path: string) => `${output('getfacl', '-p', '-n', path)}${ownership(path)}`
const extended = (path: string) =>
  output('getfattr', '--absolute-names', '-d', '-m', '-', '-e', 'hex', path)

const ATTRIBUTES: readonly Attribute[] = [
  ...[0o600, 0o640, 0o664, 0o444, 0o2775].map((mode) => ({
    name: `mode ${mode.toString(8)}`,
    prepare: (path: string) => chmodSync(path, mode),
    look: ownership,
  })),
  {
    name: 'owner and group',
    prepare: (path) => {
      chownSync(path, 1234, 2345)
      chmodSync(path, 0o640)
    },
    look: ownership,
  },
  {
    name: 'extended attributes',
    prepare: (path) => {
      output('setfattr', '-n', 'user.xdg.tags', '-v', 'loud,late', path)
      output('setfattr', '-n', 'user.binary', '-v', '0x00ff0001', path)
    },
    look: extended,
  },
  {
    name: 'an ACL that gives a user rights',
    prepare: (path) => {
      chmodSync(path, 0o600)
      output('setfacl', '-m', 'u:1234:r--,g:2345:rw-', path)
    },
    look: acl,
  },
  {
    name: 'an ACL whose mask is narrower than its group',
    prepare: (path) => output('setfacl', '-m', 'u:1234:rwx,g::rw-,m::r--', path),
    look: acl,
  },
]

interface Registered {
  path: string
  bytes: Buffer
  track: Track
}

/** Makes a track of a plain file of its own: what is judged here is not its tags. */
function registrar(music: Audile, { folder, wav, analysis }: Place) {
  const plain = readFileSync(wav)
  let number = 10
  return async (): Promise<Registered> => {
    const name = `${number++}.wav`
    const path = join(folder, name)
    const info = `LIST\x0e\0\0\0INFOIART\x02\0\0\0${number}`
    const bytes = Buffer.concat([plain, Buffer.from(info, 'latin1')])
    bytes.writeUInt32LE(bytes.length - 8, 4)
    await registerFiles(music, [{ file: { name, bytes }, path }], analysis)
    return { path, bytes, track: await music.tracks.get({ file: path }) }
  }
}

interface Place {
  folder: string
  wav: string
  analysis: SoundAnalysis
}

/** What is wrong with a file whose links and attributes a write had to keep. */
async function writeFlaws(
  { path, bytes, track }: Registered,
  { name, look }: Pick<Attribute, 'name' | 'look'>,
): Promise<string[]> {
  const before = look(path)
  const [answer] = (await track.writeTags({ dryRun: false, comment: name })).files
  const flaws: string[] = []
  if (answer?.error !== undefined) {
    if (!readFileSync(path).equals(bytes)) flaws.push(`${name}: refused, but its bytes changed`)
  } else if (!answer?.written) flaws.push(`${name}: nothing was written`)
  const after = look(path)
  if (after !== before) flaws.push(`${name}: "${before.trim()}" became "${after.trim()}"`)
  return flaws.map((flaw) => flaw.replaceAll(path, 'FILE').replaceAll('\n', ' '))
}

async function linkFlaws(add: () => Promise<Registered>): Promise<string[]> {
  const flaws: string[] = []
  const linked = await add()
  const other = `${linked.path}.link`
  linkSync(linked.path, other)
  const [answer] = (await linked.track.writeTags({ dryRun: false, comment: 'linked' })).files
  if (answer?.error === undefined) flaws.push('a hard-linked file was written without being asked')
  for (const path of [linked.path, other])
    if (!readFileSync(path).equals(linked.bytes)) flaws.push(`hard link ${path}: its bytes changed`)
  const query = { dryRun: false, comment: 'linked', breakHardLinks: true }
  try {
    const [broken] = (await linked.track.writeTags(query)).files
    if (!broken?.written) flaws.push(`breakHardLinks did not write: ${broken?.error}`)
    if (!readFileSync(other).equals(linked.bytes))
      flaws.push('breakHardLinks changed the other name')
  } catch (error) {
    flaws.push(`breakHardLinks: ${error instanceof Error ? error.message : error}`)
  }
  const target = await add()
  const moved = `${target.path}.target`
  renameSync(target.path, moved)
  symlinkSync(moved, target.path)
  const look = (path: string) => `${lstatSync(path).isSymbolicLink()} ${ownership(moved)}`
  return [...flaws, ...(await writeFlaws(target, { name: 'symbolic link', look }))]
}

/** Whether modes, owners, attributes and links outlast a write, or the file is refused. */
export async function judgeAttributes({
  folder,
}: {
  folder: string
}): Promise<{ done: string; flaws: string[] }> {
  if (process.platform !== 'linux') return { done: 'left out: this is not Linux', flaws: [] }
  const wav = join(folder, 'sounds', 'sound.wav')
  const music = await Audile.open({ database: ':memory:', engine: 'inline', workers: 0 })
  try {
    const place = {
      folder: join(folder, 'attributes'),
      wav,
      analysis: await analyzeSound(music, wav),
    }
    mkdirSync(place.folder)
    const add = registrar(music, place)
    const flaws: string[] = []
    const leftOut: string[] = []
    for (const attribute of ATTRIBUTES) {
      const file = await add()
      try {
        attribute.prepare(file.path)
      } catch {
        leftOut.push(attribute.name)
        continue
      }
      flaws.push(...(await writeFlaws(file, attribute)))
    }
    flaws.push(...(await linkFlaws(add)))
    const left = leftOut.length > 0 ? `; left out on this machine: ${leftOut.join(', ')}` : ''
    return { done: `${ATTRIBUTES.length + 3} tried${left}`, flaws }
  } finally {
    await music.close()
  }
}
