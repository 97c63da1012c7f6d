import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PACKAGE } from '../support/built.ts'
import { waveBytes } from '../support/clips.ts'
import { type Block, blocksOf } from '../support/documents.ts'
import { mp3Bytes } from '../support/encode.ts'
import { linkPackage, packedProject } from '../support/packed.ts'
import { moduleOf } from '../support/snippets.ts'
import { taggedMp3 } from '../support/tagged-mp3.ts'
import { tune } from '../support/tune.ts'

/** Whole programs. */
const PROGRAMS = blocksOf('js').filter(({ remark }) => remark === '')
/** Pieces that run where `music` and the like are given. */
const PIECES = blocksOf('ts').filter(({ remark }) => remark === '')
/** Code of other packages, of which a guide shows what it becomes. */
const BEFORE = blocksOf('js').filter(({ remark }) => remark === 'before')

/** Programs that run at once. */
const AT_ONCE = 2

interface Run {
  code: number | string | null
  stderr: string
}

let project: string
const runs = new Map<string, Run>()

beforeAll(async () => {
  project = await packedProject()
  const packages = ['ws', 'essentia.js', 'meyda', 'music-tempo']
  for (const name of packages) linkPackage(name, project)
  const fixtures = join(project, 'fixtures')
  await writeFixtures(fixtures)
  const jobs = [
    ...PROGRAMS.map(({ place, code }) => ({ place, name: 'program.mjs', text: code })),
    ...PROGRAMS.filter(({ document }) => document === 'README.md').map(({ place, code }) => ({
      place: `${place} as CommonJS`,
      name: 'program.cjs',
      text: asCommonJs(code),
    })),
    ...BEFORE.map(({ place, code }) => ({ place, name: 'before.mjs', text: GIVEN_BEFORE + code })),
    { place: PIECES_AT, name: 'pieces.mjs', text: piecesProgram() },
    { place: README_AT, name: 'readme.mjs', text: readmeProgram() },
  ]
  let count = 0
  const work = async () => {
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      const folder = join(project, `run-${count++}`)
      cpSync(fixtures, folder, { recursive: true })
      writeFileSync(join(folder, job.name), job.text)
      runs.set(job.place, await start(folder, job.name))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
})

afterAll(() => rmSync(project, { recursive: true, force: true }))

describe('the programs of README and guides', () => {
  it('are correct TypeScript for the published types', () => {
    expect(typeFaults()).toEqual([])
  })

  it.each([...PROGRAMS, ...BEFORE])('$place runs', ({ place }) => {
    expect(runs.get(place)).toEqual({ code: 0, stderr: '' })
  })

  it.each(PROGRAMS.filter(({ document }) => document === 'README.md'))(
    '$place runs as CommonJS',
    ({ place }) => {
      expect(runs.get(`${place} as CommonJS`)).toEqual({ code: 0, stderr: '' })
    },
  )

  it('have pieces that run', () => {
    expect(runs.get(PIECES_AT)).toEqual({ code: 0, stderr: '' })
  })

  it('have recipes that run where the program of README tells to put them', () => {
    expect(runs.get(README_AT)).toEqual({ code: 0, stderr: '' })
  })
})

const PIECES_AT = 'pieces'
const README_AT = 'README.md with its recipes'

/** The program of README, with all its recipes at the place that it names. */
function readmeProgram(): string {
  const own = ({ document }: Block) => document === 'README.md'
  const [program = ''] = PROGRAMS.filter(own).map(({ code }) => code)
  const [before = '', after] = program.split('// The recipes below go here.\n')
  if (after === undefined) throw new Error('The program of README names no place for recipes.')
  const recipes = PIECES.filter(own).map(({ code }) => code)
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }
  const text = `const left = new Float32Array(441_000), right = left\n${before}${recipes.join('\n')}${after}`
  return ts.transpileModule(text, { compilerOptions }).outputText
}

/** A program that runs the pieces, one after the other, and writes to stderr which of them fail. */
function piecesProgram(): string {
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }
  const modules = PIECES.map(({ place, code }) => {
    const { outputText } = ts.transpileModule(moduleOf(code), { compilerOptions: options })
    return [place, Buffer.from(outputText).toString('base64')]
  })
  return `
import { readFileSync, writeFileSync } from 'node:fs'
import { Audile } from 'audile'
globalThis.music = await Audile.open({ database: 'given.db' })
globalThis.track = await music.tracks.upload({ file: 'song.mp3', wait: true })
globalThis.catalog = await music.catalogs.create({ name: 'Given', type: 'song' })
globalThis.ticket = await catalog.update([{ item: { itemId: 'a', songName: 'Some Song' } }])
globalThis.song = (await music.songs.search({ title: 'Some Song' }))[0]
globalThis.signal = new AbortController().signal
globalThis.left = Float32Array.from({ length: 441_000 }, (_, i) => Math.sin(i / 20) * ((i % 22_050) / 22_050))
globalThis.right = left.slice()
console.log = () => {}
for (const [i, [place, text]] of ${JSON.stringify(modules)}.entries()) {
  const file = \`piece-\${i}.mjs\`
  writeFileSync(file, Buffer.from(text, 'base64'))
  try {
    await (await import(new URL(file, import.meta.url))).example()
  } catch (error) {
    console.error(place, error)
  }
}
await music.close()
`
}

/** What the code of other packages finds. */
const GIVEN_BEFORE = `
import essentiaPackage from 'essentia.js'
import Meyda from 'meyda'
import MusicTempo from 'music-tempo'
const mono = Float32Array.from({ length: 441_000 }, (_, i) => Math.sin(i / 20) * ((i % 22_050) / 22_050))
const frame = mono.subarray(0, 2048)
const essentia = new essentiaPackage.Essentia(essentiaPackage.EssentiaWASM)
`

function start(cwd: string, script: string): Promise<Run> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script], { cwd }, (error, _, stderr) =>
      resolve({ code: error ? (error.code ?? error.signal ?? null) : 0, stderr }),
    )
  })
}

/** What a recipe finds in its folder: a song, a piece of it as one heard it, a library. */
async function writeFixtures(folder: string): Promise<void> {
  mkdirSync(join(folder, 'music'), { recursive: true })
  const song = tune({ seed: 1 })
  const { sampleRate } = song
  const mp3 = async (title: string, samples = song) =>
    Buffer.concat([
      taggedMp3({ TIT2: title, TPE1: 'Some Artist', TALB: 'Some Album' }, 0),
      await mp3Bytes(samples, 128),
    ])
  writeFileSync(join(folder, 'song.mp3'), await mp3('Some Song'))
  const heard = song.samples.map((channel) => channel.subarray(4 * sampleRate, 16 * sampleRate))
  writeFileSync(join(folder, 'heard.wav'), await waveBytes({ samples: heard, sampleRate }))
  for (const [i, title] of ['First', 'Second', 'Third'].entries()) {
    const other = tune({ seed: 2 + i, seconds: 6 })
    writeFileSync(join(folder, 'music', `${title.toLowerCase()}.mp3`), await mp3(title, other))
  }
  writeFileSync(join(folder, 'Library.xml'), LIBRARY)
  writeFileSync(join(folder, 'collection.xml'), REKORDBOX)
  writeFileSync(join(folder, 'collection.nml'), TRAKTOR)
  writeFileSync(join(folder, 'playlist.csv'), EXPORTIFY)
  mkdirSync(join(folder, 'Spotify Account Data'))
  const history = join(folder, 'Spotify Account Data', 'StreamingHistory_music_0.json')
  writeFileSync(history, JSON.stringify(HISTORY))
  writeFileSync(join(folder, 'songs.csv'), 'name,by\nMy Girl,The Temptations\n,nobody\n')
}

const REKORDBOX = `<?xml version="1.0" encoding="UTF-8"?>
<DJ_PLAYLISTS Version="1.0.0"><COLLECTION Entries="1">
<TRACK TrackID="1" Name="Some Song" Artist="Some Artist" TotalTime="20" Location="file://localhost/music/some.mp3">
<TEMPO Inizio="0.1" Bpm="120.00" Metro="4/4" Battito="1"/></TRACK>
</COLLECTION></DJ_PLAYLISTS>
`

const TRAKTOR = `<?xml version="1.0" encoding="UTF-8"?>
<NML VERSION="19"><COLLECTION ENTRIES="1"><ENTRY TITLE="Some Song" ARTIST="Some Artist">
<LOCATION DIR="/:music/:" FILE="some.mp3" VOLUME=""/><INFO PLAYTIME="20"/></ENTRY></COLLECTION>
<PLAYLISTS><NODE TYPE="FOLDER" NAME="$ROOT"><SUBNODES COUNT="1"><NODE TYPE="FOLDER" NAME="Sets"><SUBNODES COUNT="1">
<NODE TYPE="PLAYLIST" NAME="Friday"><PLAYLIST ENTRIES="1" TYPE="LIST"><ENTRY><PRIMARYKEY TYPE="TRACK" KEY="/:music/:some.mp3"/></ENTRY>
</PLAYLIST></NODE></SUBNODES></NODE></SUBNODES></NODE></PLAYLISTS></NML>
`

const EXPORTIFY = `Track URI,Track Name,Album Name,Artist Name(s),Duration (ms),Tempo,Energy
spotify:track:1234567890123456789012,Some Song,Some Album,Some Artist,20000,120.0,0.5
`

const HISTORY = [
  {
    endTime: '2023-01-05 10:11',
    artistName: 'Some Artist',
    trackName: 'Some Song',
    msPlayed: 200_000,
  },
]

const LIBRARY = `<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict>
<key>Tracks</key><dict>
${['Some Song', 'Another Song']
  .map(
    (name, i) => `<key>${i + 1}</key><dict>
<key>Track ID</key><integer>${i + 1}</integer>
<key>Name</key><string>${name}</string>
<key>Artist</key><string>Some Artist</string>
<key>Persistent ID</key><string>ABCDEF000000000${i}</string>
<key>Play Count</key><integer>${3 + i}</integer>
</dict>`,
  )
  .join('\n')}
</dict>
</dict></plist>
`

/** A module as CommonJS would be written: its imports by require, the rest in a function. */
function asCommonJs(code: string): string {
  const file = ts.createSourceFile('x.mjs', code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS)
  const imports = file.statements.filter(ts.isImportDeclaration)
  const rest = file.statements.filter((statement) => !ts.isImportDeclaration(statement))
  return `${imports.map(asRequire).join('\n')}
async function main() {${rest.map((statement) => statement.getFullText()).join('')}
}
main()
`
}

function asRequire({ importClause, moduleSpecifier }: ts.ImportDeclaration): string {
  const load = `require(${moduleSpecifier.getText()})`
  const bindings = importClause?.namedBindings
  if (importClause?.name) return `const ${importClause.name.text} = ${load}`
  if (bindings === undefined) return load
  if (ts.isNamespaceImport(bindings)) return `const ${bindings.name.text} = ${load}`
  const names = bindings.elements.map(({ propertyName, name }) =>
    propertyName ? `${propertyName.getText()}: ${name.text}` : name.text,
  )
  return `const { ${names.join(', ')} } = ${load}`
}

/** What the compiler says of the recipes in the project, against the types that are published. */
function typeFaults(): string[] {
  const files = PROGRAMS.map(({ code }, i) => {
    const file = join(project, `program-${i}.mts`)
    writeFileSync(file, code)
    return file
  })
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    typeRoots: [join(PACKAGE, 'node_modules/@types')],
    types: ['node'],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  })
  return ts.getPreEmitDiagnostics(program).map(({ file, start: at = 0, messageText }) => {
    const line = file?.text.slice(0, at).split('\n').length ?? 0
    const text = ts.flattenDiagnosticMessageText(messageText, ' ')
    return `${file?.fileName.split('/').at(-1)} line ${line}: ${text}`
  })
}
