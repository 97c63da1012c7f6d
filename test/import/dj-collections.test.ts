import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { correct } from '../../src/analysis-entry.ts'
import { documentOnGrid } from '../../src/export/bar-grid.ts'
import {
  type ExportRecord,
  type OwnCue,
  toMixxx,
  toRekordbox,
  toSerato,
  toTraktor,
} from '../../src/export-entry.ts'
import {
  type CollectionEntry,
  fromMixxx,
  fromRekordbox,
  fromSerato,
  fromTraktor,
  type GridAnchor,
  type Imported,
} from '../../src/import-entry.ts'
import { beatsOf, madeDocument } from '../support/made-documents.ts'
import { scratch } from '../support/scratch.ts'
import { bytes, gzipped, pieces, readAll } from './read-all.ts'

const SECTIONS = [
  { bars: 16, level: -22 },
  { bars: 32, level: -9 },
  { bars: 16, level: -22 },
]
const steady = madeDocument({ sections: SECTIONS, bpm: 126, lead: 0.4, tail: 1 })
const waltz = madeDocument({ sections: SECTIONS, bpm: 171.3, lead: 0.7, tail: 1, metre: 3 })
const drifting = madeDocument({
  ...{ sections: SECTIONS, lead: 1.3, pickup: 2 },
  bpm: (beat) => 100 * (1 + 0.02 * Math.sin(beat / 12) + 0.2 * (beat / 256)),
})
const laid = correct(steady, {
  grid: [
    { time: 0.412, tempo: 126.5, place: 3 },
    { time: 60.02, tempo: 131.25, place: 1 },
  ],
})
const OWN: OwnCue[] = [
  { number: 1, time: 30.5, name: 'Drop & "more"', colour: '#ff7f00' },
  { number: 3, time: 61.25, name: 'Überleitung' },
  { number: 4, time: 75, end: 82.5, name: 'Loop', colour: '#00cc00' },
]
const record = (analysis: object, more: Partial<ExportRecord> = {}): ExportRecord => ({
  ...{ file: '/music/ä #1/one.mp3', title: 'One', artist: 'Somebody', samplerate: 44_100 },
  ...{ comment: 'Für <dich>', rating: 4, colour: '#ff8000', analysis, cues: OWN },
  ...more,
})

/** The library of Mixxx, as its own program makes it, with the rows of an export. */
async function mixxxWith(record: ExportRecord, folder = scratch()): Promise<string> {
  const { location, beats, beats_version, samplerate, cues, rating, comment, color, bpm, key } =
    await toMixxx(record)
  const path = join(folder, 'mixxxdb.sqlite')
  const db = new Sqlite(path)
  db.pragma('synchronous = OFF')
  db.exec(`
    CREATE TABLE library (id INTEGER primary key AUTOINCREMENT, artist varchar(64), title varchar(64),
      album, genre, tracknumber, location integer, comment varchar(256), samplerate integer, bpm float,
      mixxx_deleted integer, timesplayed integer DEFAULT 0, rating integer DEFAULT 0, key varchar(8),
      beats BLOB, beats_version TEXT, color INTEGER);
    CREATE TABLE track_locations (id INTEGER PRIMARY KEY AUTOINCREMENT, location varchar(512) UNIQUE);
    CREATE TABLE cues (id integer PRIMARY KEY AUTOINCREMENT, track_id integer NOT NULL, type integer,
      position integer, length integer, hotcue integer, label text, color INTEGER DEFAULT 4294901760);
    CREATE TABLE Playlists (id INTEGER primary key, name varchar(48), position INTEGER, hidden INTEGER);
    CREATE TABLE PlaylistTracks (id INTEGER primary key, playlist_id, track_id, position INTEGER);
    CREATE TABLE crates (id integer PRIMARY KEY AUTOINCREMENT, name varchar(48));
    CREATE TABLE crate_tracks (crate_id integer, track_id integer);
    INSERT INTO Playlists VALUES (1, 'Friday', 1, 0), (2, 'History', 2, 2);
    INSERT INTO PlaylistTracks VALUES (1, 1, 1, 1), (2, 2, 1, 1), (3, 1, 99, 2);
    INSERT INTO crates VALUES (1, 'House');
    INSERT INTO crate_tracks VALUES (1, 1)`)
  db.prepare('INSERT INTO track_locations VALUES (1, ?)').run(location)
  db.prepare(
    `INSERT INTO library VALUES (1, 'Somebody', 'One', NULL, '', '3/9', 1, ?, ?, ?, 0, 7, ?, ?, ?, ?, ?)`,
  ).run(comment, samplerate, bpm, rating, key, beats, beats_version, color)
  const insert = db.prepare('INSERT INTO cues VALUES (NULL, 1, ?, ?, ?, ?, ?, ?)')
  for (const { type, position, length, hotcue, label, color = 0xff0000 } of cues)
    insert.run(type, position, length, hotcue, label, color)
  db.close()
  return path
}

const NML = (
  collection: string,
  nodes = '',
) => `<?xml version="1.0" encoding="UTF-8" standalone="no" ?>
<NML VERSION="19"><HEAD COMPANY="www.native-instruments.com" PROGRAM="Traktor"></HEAD>
<COLLECTION ENTRIES="1">${collection}</COLLECTION>
<PLAYLISTS><NODE TYPE="FOLDER" NAME="$ROOT"><SUBNODES COUNT="1">${nodes}</SUBNODES></NODE></PLAYLISTS></NML>`
const REKORDBOX = (tracks: string, nodes = '') => `<?xml version="1.0" encoding="UTF-8"?>
<DJ_PLAYLISTS Version="1.0.0"><PRODUCT Name="rekordbox" Version="6.6.4" Company="AlphaTheta"/>
<COLLECTION Entries="1">${tracks}</COLLECTION>
<PLAYLISTS><NODE Type="0" Name="ROOT" Count="1">${nodes}</NODE></PLAYLISTS></DJ_PLAYLISTS>`

/** A file with nothing but a tag and a few frames of silence. */
const mp3With = (id3: Uint8Array) => {
  const frame = new Uint8Array(417)
  frame.set([0xff, 0xfb, 0x90, 0x64])
  return Buffer.concat([id3, ...Array.from({ length: 8 }, () => frame)])
}

async function seratoWith(record: ExportRecord): Promise<string> {
  const path = join(scratch(), 'one.mp3')
  writeFileSync(path, mp3With((await toSerato(record)).id3))
  return path
}

const PROGRAMS: Record<string, (record: ExportRecord) => Promise<Imported<CollectionEntry>>> = {
  Rekordbox: async (one) => fromRekordbox(bytes(await toRekordbox([one], { name: 'Friday' }))),
  Traktor: async (one) => fromTraktor(bytes(await toTraktor([one], { name: 'Friday' }))),
  Serato: async (one) => fromSerato(await seratoWith(one)),
  Mixxx: async (one) => fromMixxx(await mixxxWith(one)),
}

/** By how much the nearest beats of a laid grid lie beside others, at most; seconds. */
function farthest(beats: readonly number[], laid: readonly number[]): number {
  return Math.max(...beats.map((beat) => Math.min(...laid.map((other) => Math.abs(other - beat)))))
}

describe.each(Object.entries(PROGRAMS))(
  'what is exported to %s and read again',
  (name, through) => {
    it.each([
      ['of one tempo', steady],
      ['in three', waltz],
      ['that drifts', drifting],
      ['that someone has laid', laid],
    ])('has the same grid, of music %s', async (_, document) => {
      const [entry] = await readAll(await through(record(document)))
      const { grid } = entry!.track.corrections!
      const read = beatsOf(correct(document, { grid: grid as GridAnchor[] }))
      // What drifts is kept within 10 ms by the export itself.
      const exportedTo = document === drifting && name !== 'Mixxx' ? 0.0101 : 0.001
      const beats = documentOnGrid(document).beats.map(({ start }) => start)
      expect(farthest(beats.slice(4, -4), read)).toBeLessThan(exportedTo)
    })

    it('has the same own cues and loops', async () => {
      const [entry] = await readAll(await through(record(steady)))
      const { cues } = entry!.track
      for (const { number, time, end, name: label, colour } of OWN) {
        const read = cues.find((one) => one.number === number)
        expect(read).toMatchObject({ time: expect.closeTo(time, 3), name: label })
        if (end !== undefined) expect(read!.end).toBeCloseTo(end, 3)
        // Traktor has no colours of cues.
        if (colour !== undefined && name !== 'Traktor') expect(read!.colour).toBe(colour)
      }
      expect(new Set(cues.map(({ number }) => number)).size).toBe(cues.length)
    })
  },
)

describe('fromRekordbox', () => {
  const TRACK = `<TRACK TrackID="12" Name="Nuit" Artist="Zoë" Album="A" Genre="House" Kind="MP3 File"
    Size="1" TotalTime="300" DiscNumber="1" TrackNumber="3" Year="2020" AverageBpm="124.00" DateAdded="2021-02-03"
    BitRate="320" SampleRate="44100" Comments="warm up" PlayCount="9" Rating="204" Remixer="X"
    Location="file://localhost/C:/Music/Nuit%20%231.mp3" Tonality="8A" Label="" Mix="" Colour="0xFF007F">
    <TEMPO Inizio="0.098" Bpm="124.00" Metro="4/4" Battito="2"/>
    <TEMPO Inizio="120.500" Bpm="126.50" Metro="4/4" Battito="1"/>
    <POSITION_MARK Name="" Type="0" Start="64.001" Num="2" Red="40" Green="226" Blue="20"/>
    <POSITION_MARK Name="In" Type="4" Start="1.5" End="5.25" Num="0"/>
    <POSITION_MARK Name="" Type="0" Start="12.0" Num="-1"/></TRACK>`
  const LISTS = `<NODE Name="Sets" Type="0" Count="1"><NODE Name="Friday" Type="1" KeyType="0" Entries="2">
    <TRACK Key="13"/><TRACK Key="12"/></NODE></NODE>`
  const OTHER = '<TRACK TrackID="13" Name="B" Location="file://localhost/Users/me/b.mp3"/>'

  it.each([
    ['as bytes', bytes],
    ['gzipped', gzipped],
    ['in pieces', (text: string) => pieces(text, 100)],
  ])('reads what Rekordbox writes, %s', async (_, as) => {
    const entries = fromRekordbox(as(REKORDBOX(TRACK + OTHER, LISTS)))
    const [entry] = await readAll(entries)
    expect(entry).toEqual({
      item: {
        itemId: expect.stringMatching(/^[0-9a-f]{32}$/),
        ...{ songName: 'Nuit', artistName: 'Zoë', release: 'A', genre: 'House' },
        ...{ trackNumber: 3, discNumber: 1, playCount: 9, rating: 8 },
        url: 'C:/Music/Nuit #1.mp3',
        itemKeyvalues: {
          ...{ comment: 'warm up', colour: '#ff007f', remixer: 'X', added: '2021-02-03' },
          playlists: '["Sets/Friday"]',
        },
      },
      track: {
        file: 'C:/Music/Nuit #1.mp3',
        corrections: {
          grid: [
            { time: 0.098, tempo: 124, place: 2 },
            { time: 120.5, tempo: 126.5, place: 1 },
          ],
        },
        cues: [
          { number: 1, time: 1.5, end: 5.25, name: 'In' },
          { number: 3, time: 64.001, colour: '#28e214' },
          { number: 4, time: 12 },
        ],
      },
      playlists: ['Sets/Friday'],
    })
    expect(entries.report).toMatchObject({
      records: 2,
      leftOut: [{ reason: 'a key is no correction; the option keys takes it', count: 1 }],
    })
  })

  it('reads one playlist in its order, and keys where they are asked for', async () => {
    const input = bytes(REKORDBOX(TRACK + OTHER, LISTS))
    const entries = await readAll(fromRekordbox(input, { playlist: 'Sets/Friday', keys: true }))
    expect(entries.map(({ item }) => item.songName)).toEqual(['B', 'Nuit'])
    expect(entries[1]!.track.corrections).toMatchObject({ key: 9, mode: 0 })
    expect(entries[0]!.track).toEqual({ file: '/Users/me/b.mp3', cues: [] })
    await expect(readAll(fromRekordbox(input, { playlist: 'Friday' }))).rejects.toThrow(
      'has no playlist "Friday"; it has "Sets/Friday"',
    )
  })

  it('counts what it leaves out, by name', async () => {
    const odd = `<TRACK TrackID="14" Location="file://localhost/m/c.mp3"><TEMPO Inizio="x" Bpm="120"/>
      <TEMPO Inizio="1" Bpm="900"/><TEMPO Inizio="1" Bpm="120" Metro="9/8"/><TEMPO Inizio="1" Bpm="121"/>
      <POSITION_MARK Type="0" Start="-3" Num="0"/></TRACK>`
    const list = '<NODE Name="L" Type="1"><TRACK Key="99"/></NODE>'
    const entries = fromRekordbox(
      bytes(REKORDBOX(`${OTHER}${OTHER}<TRACK TrackID="1"/>${odd}`, list)),
    )
    const [, last] = await readAll(entries)
    expect(last!.track).toMatchObject({
      corrections: { grid: [{ time: 1, tempo: 121 }] },
      cues: [],
    })
    const reasons = entries.report.leftOut.map(({ reason, count }) => `${count} ${reason}`)
    expect(reasons.sort()).toEqual([
      '1 a cue has no time in the track',
      '1 a grid changes the beats of its bars',
      '1 a marker of a grid stands where another one does',
      '1 a playlist names a track that the collection lacks',
      '1 a track has no file',
      '1 a track is in the collection already',
      '2 a marker of a grid has no time, or no tempo from 20 to 500',
    ])
  })

  it('refuses what is none, or is cut off', async () => {
    const refused = (text: string) => expect(readAll(fromRekordbox(bytes(text)))).rejects
    await refused('<NML VERSION="19"/>').toThrow('read it with fromTraktor()')
    await refused(REKORDBOX(TRACK).slice(0, 900)).toThrow(
      'cannot be read as a Rekordbox collection',
    )
    await refused(REKORDBOX('')).toThrow('has nothing to import')
  })
})

describe('fromTraktor', () => {
  const entry = (location: string, more = '') =>
    `<ENTRY MODIFIED_DATE="2024/1/2" TITLE="Nacht" ARTIST="Ä">${location}<ALBUM TRACK="4" TITLE="Alb"/>
    <INFO BITRATE="320000" GENRE="Techno" COMMENT="dark" PLAYCOUNT="3" RANKING="255" COLOR="2" KEY="8m"
      IMPORT_DATE="2023/5/6" LAST_PLAYED="2024/1/1"/><TEMPO BPM="132.000015" BPM_QUALITY="100.0"/>
    <MUSICAL_KEY VALUE="21"/>${more}</ENTRY>`
  const CUES = `<CUE_V2 NAME="AutoGrid" DISPL_ORDER="0" TYPE="4" START="52.125000" LEN="0.0" REPEATS="-1" HOTCUE="0">
      <GRID BPM="132.000015"></GRID></CUE_V2>
    <CUE_V2 NAME="n.n." TYPE="0" START="14597.5" LEN="0" REPEATS="-1" HOTCUE="2"></CUE_V2>
    <CUE_V2 NAME="Build" TYPE="5" START="30000" LEN="3636.36" REPEATS="-1" HOTCUE="1"></CUE_V2>
    <CUE_V2 NAME="n.n." TYPE="2" START="200000" LEN="0" REPEATS="-1" HOTCUE="-1"></CUE_V2>`

  it('reads what Traktor writes', async () => {
    const location =
      '<LOCATION DIR="/:Users/:me/:Music/:" FILE="a b.mp3" VOLUME="SSD" VOLUMEID="1"/>'
    const lists = `<NODE TYPE="PLAYLIST" NAME="Club"><PLAYLIST ENTRIES="1" TYPE="LIST"><ENTRY>
      <PRIMARYKEY TYPE="TRACK" KEY="SSD/:Users/:me/:Music/:a b.mp3"/></ENTRY></PLAYLIST></NODE>
      <NODE TYPE="SMARTLIST" NAME="Recent"><SMARTLIST/></NODE>`
    const entries = fromTraktor(bytes(NML(entry(location, CUES), lists)), { keys: true })
    expect(await readAll(entries)).toEqual([
      {
        item: {
          itemId: expect.any(String),
          ...{ songName: 'Nacht', artistName: 'Ä', release: 'Alb', genre: 'Techno' },
          ...{ trackNumber: 4, playCount: 3, rating: 10, url: '/Users/me/Music/a b.mp3' },
          itemKeyvalues: {
            ...{ comment: 'dark', colour: '#ff8000', added: '2023/5/6', lastPlayed: '2024/1/1' },
            playlists: '["Club"]',
          },
        },
        track: {
          file: '/Users/me/Music/a b.mp3',
          corrections: { grid: [{ time: 0.052125, tempo: 132.000015, place: 1 }], key: 9, mode: 0 },
          cues: [
            { number: 1, time: 0.052125 },
            { number: 2, time: 30, end: 33.63636, name: 'Build' },
            { number: 3, time: 14.5975 },
            { number: 4, time: 200, name: 'Fade out' },
          ],
        },
        playlists: ['Club'],
      },
    ])
    expect(entries.report.leftOut).toMatchObject([
      { reason: 'a smart playlist has no list of tracks', count: 1 },
    ])
  })

  it.each([
    ['C:', '/:Music/:Ü/:', 'C:/Music/Ü/a.mp3'],
    ['Macintosh HD', '/:Volumes/:USB/:', '/Volumes/USB/a.mp3'],
    ['USB', '/:Sets/:', '/Volumes/USB/Sets/a.mp3'],
    ['', '/:home/:me/:', '/home/me/a.mp3'],
  ])('finds the path on the volume %j', async (volume, folder, path) => {
    const location = `<LOCATION DIR="${folder}" FILE="a.mp3" VOLUME="${volume}"/>`
    const [read] = await readAll(fromTraktor(bytes(NML(entry(location)))))
    expect(read!.track.file).toBe(path)
  })
})

describe('fromSerato', () => {
  it('reads a folder with its crates, and names what Serato has not marked', async () => {
    const folder = scratch()
    const crate = (path: string) => {
      const text = Buffer.from(path, 'utf16le').swap16()
      const chunk = (tag: string, content: Buffer) => {
        const size = Buffer.alloc(4)
        size.writeUInt32BE(content.length)
        return Buffer.concat([Buffer.from(tag), size, content])
      }
      return Buffer.concat([chunk('vrsn', Buffer.alloc(8)), chunk('otrk', chunk('ptrk', text))])
    }
    mkdirSync(join(folder, '_Serato_', 'Subcrates'), { recursive: true })
    writeFileSync(join(folder, '_Serato_', 'Subcrates', 'Sets%%Friday.crate'), crate('ä.mp3'))
    writeFileSync(join(folder, '_Serato_', 'Subcrates', 'Bad.crate'), crate('x').subarray(0, 30))
    writeFileSync(join(folder, 'ä.mp3'), mp3With((await toSerato(record(steady))).id3))
    writeFileSync(join(folder, 'plain.mp3'), mp3With(new Uint8Array(0)))
    const entries = fromSerato(folder)
    const [entry, more] = await readAll(entries)
    expect(more).toBeUndefined()
    expect(entry).toMatchObject({
      playlists: ['Sets/Friday'],
      track: { file: join(folder, 'ä.mp3') },
    })
    const reasons = entries.report.leftOut.map(({ reason }) => reason)
    expect(reasons.sort()).toEqual(['a crate is damaged', 'a file has no tags of Serato'])
  })

  it('refuses a file without them, and what does not exist', async () => {
    const path = join(scratch(), 'plain.mp3')
    writeFileSync(path, mp3With(new Uint8Array(0)))
    await expect(readAll(fromSerato(path))).rejects.toThrow('1 × a file has no tags of Serato')
    await expect(readAll(fromSerato(`${path}x`))).rejects.toThrow('does not exist')
  })
})

describe('fromMixxx', () => {
  it('reads names, plays, playlists and crates, and counts what Mixxx sets itself', async () => {
    const folder = scratch()
    await mixxxWith(record(steady), folder)
    const entries = fromMixxx(folder)
    const [entry] = await readAll(entries)
    expect(entry!.item).toMatchObject({
      ...{ songName: 'One', artistName: 'Somebody', playCount: 7, rating: 8 },
      itemKeyvalues: { comment: 'Für <dich>', colour: '#ff8000', playlists: '["Friday","House"]' },
    })
    const reasons = entries.report.leftOut.map(({ reason }) => reason)
    expect(reasons).toContain('a cue is a main cue')
    expect(reasons).toContain('a playlist names a track that the collection lacks')
  })

  it('does not write, and refuses what is no library of Mixxx', async () => {
    const path = await mixxxWith(record(steady))
    const db = new Sqlite(path)
    db.prepare("UPDATE library SET beats = x'0a09', beats_version = 'BeatMap-1.0'").run()
    db.close()
    const damaged = fromMixxx(path)
    const [entry] = await readAll(damaged)
    expect(entry!.track.corrections).toBeUndefined()
    expect(damaged.report.leftOut.map(({ reason }) => reason)).toContain('beats are damaged')
    const other = join(scratch(), 'other.sqlite')
    new Sqlite(other).exec('CREATE TABLE songs (a)').close()
    await expect(readAll(fromMixxx(other))).rejects.toThrow('it has no table "library"')
    writeFileSync(other, 'no database at all, but a text of some length'.repeat(99))
    await expect(readAll(fromMixxx(other))).rejects.toThrow('cannot be read as a library of Mixxx')
  })
})
