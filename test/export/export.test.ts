import { execFileSync, spawnSync } from 'node:child_process'
import { parseBuffer } from 'music-metadata'
import { describe, expect, it } from 'vitest'
import { type AnalysisDocument, cues } from '../../src/analysis-entry.ts'
import {
  type ExportRecord,
  toAudacity,
  toCsv,
  toJams,
  toM3u,
  toMidi,
  toMixxx,
  toRekordbox,
  toSerato,
  toTraktor,
  toXspf,
} from '../../src/export-entry.ts'
import { beatsOf, madeDocument } from '../support/made-documents.ts'
import {
  all,
  besideGrid,
  readBeatGrid,
  readMarkers2,
  readMessage,
  readMidi,
  readXml,
} from './readers.ts'

const SECTIONS = [
  { bars: 16, level: -22 },
  { bars: 32, level: -9 },
  { bars: 16, level: -22 },
]
const steady = madeDocument({ sections: SECTIONS, bpm: 126, lead: 0.4, tail: 1 })
/** A band that sways, gets faster by a fifth, and begins with a pickup of two beats. */
const drifting = madeDocument({
  ...{ sections: SECTIONS, lead: 1.3, pickup: 2 },
  bpm: (beat) => 100 * (1 + 0.02 * Math.sin(beat / 12) + 0.2 * (beat / 256)),
})
/** Bars of four, of which one in the middle has two beats. */
const irregular = (() => {
  const document = madeDocument({ sections: SECTIONS, bpm: 120 })
  const { bars, beats } = document
  const starts = [
    ...bars.slice(0, 20).map(({ start }) => start),
    ...beats.filter((_, i) => i >= 78 && (i - 78) % 4 === 0).map(({ start }) => start),
  ]
  const end = document.track.duration
  return {
    ...document,
    bars: starts.map((start, i) => ({
      ...{ start, duration: (starts[i + 1] ?? end) - start, confidence: 0.9 },
    })),
  }
})()

const record = (analysis: AnalysisDocument, more: Partial<ExportRecord> = {}): ExportRecord => ({
  ...{
    file: '/music/one.mp3',
    title: 'One',
    artist: 'Somebody',
    release: 'All',
    genres: ['House'],
  },
  ...{ year: 2001, trackNumber: 3, duration: 130, bitrate: 320, samplerate: 48_000, analysis },
  ...more,
})
const DOCUMENTS: ['steady' | 'drifting' | 'irregular', AnalysisDocument][] = [
  ['steady', steady],
  ['drifting', drifting],
  ['irregular', irregular],
]

/** Text with all that XML must escape, and what it cannot hold. */
const ODD = {
  title: `R&B <"live"> 'n' \u0007\uD800 \u{1F3B9}\tone\nline, =1+1`,
  shown: `R&B <"live"> 'n'  \u{1F3B9}\tone\nline, =1+1`,
  file: '/music/#1 100% "a&b"/ä ? é.mp3',
}

describe('toRekordbox', () => {
  const tempiOf = (xml: string) =>
    all(readXml(xml), 'TEMPO').map(({ attributes }) => ({
      ...{ time: Number(attributes.Inizio), bpm: Number(attributes.Bpm) },
      ...{ metre: attributes.Metro, place: Number(attributes.Battito) },
    }))

  it.each(DOCUMENTS)(
    'has tempi that keep every %s beat within 10 ms, as written',
    async (_, one) => {
      const tempi = tempiOf(await toRekordbox([record(one)]))
      expect(besideGrid(beatsOf(one), tempi)).toBeLessThanOrEqual(0.01)
    },
  )

  it('has one tempo for steady beats, and many for drifting ones', async () => {
    expect(tempiOf(await toRekordbox([record(steady)]))).toEqual([
      { time: expect.closeTo(0.4, 2), bpm: 126, metre: '4/4', place: 1 },
    ])
    const many = tempiOf(await toRekordbox([record(drifting)]))
    expect(many.length).toBeGreaterThan(5)
    // All but the first, which is the pickup, are on first beats of bars.
    expect(many.map(({ place }) => place)).toEqual([3, ...many.slice(1).map(() => 1)])
  })

  it.each(DOCUMENTS)('counts the beats in %s bars from each tempo on', async (_, one) => {
    const tempi = tempiOf(await toRekordbox([record(one)]))
    const beats = beatsOf(one)
    for (const { start } of one.bars) {
      const tempo = tempi.findLast(({ time }) => time <= start + 0.011) ?? tempi[0]!
      const from = beats.findIndex((beat) => Math.abs(beat - tempo.time) < 0.011)
      const to = beats.indexOf(start)
      expect((tempo.place - 1 + to - from) % 4).toBe(0)
    }
  })

  it('says what is known of the track, its cues and its playlist', async () => {
    const xml = readXml(await toRekordbox([record(steady), record(drifting)], { name: 'Set' }))
    const [track] = all(xml, 'TRACK')
    expect(track!.attributes).toMatchObject({
      ...{ TrackID: '1', Name: 'One', Artist: 'Somebody', Album: 'All', Genre: 'House' },
      ...{ Year: '2001', TrackNumber: '3', BitRate: '320', SampleRate: '48000' },
      ...{ AverageBpm: '126.00', Tonality: 'C', Location: 'file://localhost/music/one.mp3' },
    })
    const { mixIn, mixOut } = cues(steady)
    const marks = all(track!, 'POSITION_MARK').map(({ attributes }) => attributes)
    const named = (name: string) => Number(marks.find(({ Name }) => Name === name)?.Start)
    expect(named('Mix in')).toBeCloseTo(mixIn!.time, 3)
    expect(named('Mix out')).toBeCloseTo(mixOut!.time, 3)
    expect(new Set(marks.map(({ Num, Type }) => `${Num} ${Type}`))).toEqual(new Set(['-1 0']))
    expect(all(xml, 'COLLECTION')[0]!.attributes.Entries).toBe('2')
    const list = all(xml, 'NODE').find(({ attributes }) => attributes.Name === 'Set')!
    expect(all(list, 'TRACK').map(({ attributes }) => attributes.Key)).toEqual(['1', '2'])
  })

  it.each([
    [ODD.file, 'file://localhost/music/%231%20100%25%20%22a%26b%22/%C3%A4%20%3F%20%C3%A9.mp3'],
    ['C:\\Music\\a b.mp3', 'file://localhost/C:/Music/a%20b.mp3'],
    ['\\\\nas\\music\\a.mp3', 'file://localhost//nas/music/a.mp3'],
    ['file:///music/a%20%23.mp3', 'file://localhost/music/a%20%23.mp3'],
    ['file:///C:/Music/a.mp3', 'file://localhost/C:/Music/a.mp3'],
  ])('writes the path %s as a URL', async (file, url) => {
    const xml = readXml(await toRekordbox([record(steady, { file })]))
    expect(all(xml, 'TRACK')[0]!.attributes.Location).toBe(url)
  })

  it('holds any title; what XML cannot hold is left out', async () => {
    const text = await toRekordbox([record(steady, { title: ODD.title, file: ODD.file })])
    const wanted = ODD.shown
    expect(all(readXml(text), 'TRACK')[0]!.attributes.Name).toBe(wanted)
    if (spawnSync('python3', ['--version']).status !== 0) return
    const program =
      'import sys, xml.etree.ElementTree as E\n' +
      'r = E.fromstring(sys.stdin.buffer.read())\n' +
      'sys.stdout.buffer.write(r.find("COLLECTION/TRACK").get("Name").encode())'
    expect(execFileSync('python3', ['-c', program], { input: text }).toString()).toBe(wanted)
  })

  it.each([
    [{ analysis: undefined }, 'has no analysis'],
    [{ file: undefined }, 'has no file'],
    [{ file: 'one.mp3' }, 'is relative'],
  ])('refuses a track with %o', async (change, message) => {
    await expect(toRekordbox([record(steady, change)])).rejects.toThrow(message)
  })
})

describe('toTraktor', () => {
  it.each(DOCUMENTS)('has grid markers that keep every %s beat within 10 ms', async (_, one) => {
    const cuesOf = all(readXml(await toTraktor([record(one)])), 'CUE_V2')
    const grid = cuesOf.filter(({ attributes }) => attributes.TYPE === '4')
    const tempi = grid.map(({ attributes, children }) => ({
      time: Number(attributes.START) / 1000,
      bpm: Number(children[0]!.attributes.BPM),
    }))
    expect(besideGrid(beatsOf(one), tempi)).toBeLessThanOrEqual(0.01)
    // Traktor counts bars from the first marker.
    expect(one.bars.some(({ start }) => Math.abs(start - tempi[0]!.time) < 0.011)).toBe(true)
  })

  it('says what is known of the track, with its key, place and cues', async () => {
    const minor = { ...steady, track: { ...steady.track, key: 9, mode: 0 } }
    const xml = readXml(await toTraktor([record(minor)], { name: 'Set' }))
    const [entry] = all(all(xml, 'COLLECTION')[0]!, 'ENTRY')
    const one = (name: string) => all(entry!, name)[0]!.attributes
    expect(entry!.attributes).toEqual({ TITLE: 'One', ARTIST: 'Somebody' })
    expect(one('LOCATION')).toMatchObject({ DIR: '/:music/:', FILE: 'one.mp3' })
    expect(one('MUSICAL_KEY').VALUE).toBe('21')
    expect(one('INFO')).toMatchObject({ GENRE: 'House', KEY: 'Am', BITRATE: '320000' })
    expect(one('TEMPO').BPM).toBe('126.000000')
    const types = all(entry!, 'CUE_V2').map(({ attributes }) => attributes)
    const starts = (type: string) =>
      types.filter(({ TYPE }) => TYPE === type).map(({ START }) => Number(START) / 1000)
    expect(starts('1')[0]).toBeCloseTo(cues(steady).mixIn!.time, 5)
    expect(starts('2')[0]).toBeCloseTo(cues(steady).mixOut!.time, 5)
    const key = all(all(xml, 'PLAYLISTS')[0]!, 'PRIMARYKEY')[0]!.attributes.KEY
    expect(key).toBe('/:music/:one.mp3')
  })

  it.each([
    ['C:\\Music\\a.mp3', 'C:', '/:Music/:'],
    ['/Volumes/DISK/Sets/a.mp3', 'DISK', '/:Sets/:'],
    ['/Users/a b/a.mp3', 'Macintosh HD', '/:Users/:a b/:'],
    ['/home/dj/a.mp3', '', '/:home/:dj/:'],
    ['/a.mp3', '', '/:'],
    ['/Volumes/a.mp3', '', '/:Volumes/:'],
  ])('writes the place of %s', async (file, VOLUME, DIR) => {
    const xml = readXml(await toTraktor([record(steady, { file })]))
    expect(all(xml, 'LOCATION')[0]!.attributes).toMatchObject({ VOLUME, DIR, FILE: 'a.mp3' })
  })
})

describe('toSerato', () => {
  it.each(DOCUMENTS)('has a grid that keeps every %s beat within 10 ms', async (_, one) => {
    const grid = readBeatGrid((await toSerato(record(one))).beatGrid)
    expect(besideGrid(beatsOf(one), grid)).toBeLessThanOrEqual(0.01)
    // Mixxx 2.3 counts no beats before the first marker and after the last.
    const beats = beatsOf(one)
    expect(grid[0]!.time).toBeLessThan(beats[0]! + 0.01)
    expect(grid.at(-1)!.time).toBeGreaterThan(beats.at(-1)! - 0.01)
    // Serato begins a bar with each marker.
    const barLine = (time: number) => {
      const marker = grid.findLast((one) => one.time < time + 0.011)!
      return ((time - marker.time) * marker.bpm) / 240
    }
    for (const { start } of one.bars)
      expect(Math.abs(barLine(start) - Math.round(barLine(start)))).toBeLessThan(0.01)
  })

  it('begins with a short bar where there is no room for a whole one', async () => {
    const early = madeDocument({ sections: SECTIONS, bpm: 120, lead: 0.2, pickup: 3 })
    const grid = readBeatGrid((await toSerato(record(early))).beatGrid)
    const [first, bar] = [early.beats[0]!.start, early.bars[0]!.start]
    expect(grid.slice(0, 2).map(({ time }) => time)).toEqual([
      expect.closeTo(first, 3),
      expect.closeTo(bar, 3),
    ])
  })

  it('has the cues as hot cues', async () => {
    const { markers2 } = await toSerato(record(steady))
    expect(markers2.length).toBeGreaterThanOrEqual(470)
    const entries = readMarkers2(markers2)
    for (const bars of [steady.bars, [], steady.bars.slice(20), steady.bars.slice(60)])
      readMarkers2((await toSerato(record({ ...steady, bars }))).markers2)
    expect([entries[0]!.name, entries.at(-1)!.name]).toEqual(['COLOR', 'BPMLOCK'])
    const hot = entries.filter(({ name }) => name === 'CUE').map(({ content }) => content)
    expect(hot.map((content) => content[1])).toEqual(hot.map((_, i) => i))
    const moments = hot.map((content) => ({
      time: new DataView(content.buffer, content.byteOffset).getUint32(2) / 1000,
      name: new TextDecoder().decode(content.subarray(12, -1)),
    }))
    const { mixOut, introEnd } = cues(steady)
    const at = (name: string) => moments.find((one) => one.name === name)?.time
    expect(at('Mix out')).toBeCloseTo(mixOut!.time, 3)
    expect(at('Intro end')).toBeCloseTo(introEnd!.time, 3)
  })

  it('has both as an ID3 tag that another reader reads', async () => {
    const { id3, beatGrid, markers2 } = await toSerato(record(drifting))
    // A frame of an mp3 follows, so that there is a file.
    const frame = new Uint8Array(417 * 8)
    for (let i = 0; i < 8; i++) frame.set([0xff, 0xfb, 0x90, 0x00], i * 417)
    const file = Uint8Array.from([...id3, ...frame])
    const { native } = await parseBuffer(file, { mimeType: 'audio/mpeg' })
    const objects = native['ID3v2.4']!.filter(({ id }) => id.startsWith('GEOB')).map(
      ({ value }) => value as { description: string; data: Uint8Array; type: string },
    )
    expect(objects.map(({ description, data }) => [description, [...data]])).toEqual([
      ['Serato BeatGrid', [...beatGrid]],
      ['Serato Markers2', [...markers2]],
    ])
  })
})

describe('toMixxx', () => {
  const frames = (bytes: Uint8Array) =>
    readMessage(bytes).map(([field, beat]) => {
      expect(field).toBe(1)
      return readMessage(beat as Uint8Array)[0]![1] as number
    })

  it('has a grid of one tempo for steady beats', async () => {
    const made = await toMixxx(record(steady))
    expect(made).toMatchObject({ beats_version: 'BeatGrid-2.0', samplerate: 48_000, key: 'C' })
    const [[, tempo], [, first]] = readMessage(made.beats) as [[1, Uint8Array], [2, Uint8Array]]
    const bpm = readMessage(tempo)[0]![1] as number
    const time = (readMessage(first)[0]![1] as number) / 48_000
    expect(made.bpm).toBe(bpm)
    expect(besideGrid(beatsOf(steady), [{ time, bpm }])).toBeLessThanOrEqual(0.01)
  })

  it('has all beats where one tempo is not enough', async () => {
    const { beats_version, beats } = await toMixxx(record(drifting))
    expect(beats_version).toBe('BeatMap-1.0')
    expect(frames(beats)).toEqual(beatsOf(drifting).map((time) => Math.round(time * 48_000)))
  })

  it('has intro, outro and main cue in samples of two channels', async () => {
    const { cues: rows } = await toMixxx(record(steady))
    const { musicStart, introEnd, outroStart } = cues(steady)
    const row = (type: number) => rows.find((one) => one.type === type)!
    expect(row(6).position / 96_000).toBeCloseTo(musicStart!.time, 4)
    expect((row(6).position + row(6).length) / 96_000).toBeCloseTo(introEnd!.time, 4)
    expect(row(7).position / 96_000).toBeCloseTo(outroStart!.time, 4)
    expect(row(2).position).toBe(row(6).position)
  })
})

describe('toMidi', () => {
  it.each(DOCUMENTS)('has tempi that keep every %s beat within 10 ms', async (name, one) => {
    const { ticks, timeOf, signatures } = readMidi(await toMidi(record(one)))
    const first = one.bars[0]!.start
    // What is before the first beat makes whole bars with a pickup, if it is half a bar at least.
    const sizes = { steady: [1, 4], drifting: [4], irregular: [4, 2, 4] }[name]
    expect(signatures.map(({ beats }) => beats)).toEqual(sizes)
    // Bars are counted from 0; the first bar of the track begins one of them.
    const misses = beatsOf(one).map((time, i) => {
      const lead = leadOf(one, ticks, timeOf)
      return Math.abs(timeOf((lead + i) * ticks) - time)
    })
    expect(Math.max(...misses)).toBeLessThanOrEqual(0.01)
    const lines = linesOf(signatures, ticks, 400).map(timeOf)
    expect(Math.min(...lines.map((line) => Math.abs(line - first)))).toBeLessThan(0.01)
    for (const { start } of one.bars)
      expect(Math.min(...lines.map((line) => Math.abs(line - start)))).toBeLessThan(0.01)
  })

  it('has the title and the cues', async () => {
    const { markers, timeOf, name } = readMidi(await toMidi(record(drifting)))
    expect(name).toBe('One')
    const { introEnd } = cues(drifting)
    const marker = markers.find(({ text }) => text === 'Intro end')!
    expect(timeOf(marker.tick)).toBeCloseTo(introEnd!.time, 1)
  })

  it('has a slow lead-in of several bars where one would be too slow', async () => {
    const late = madeDocument({ sections: SECTIONS, bpm: 125, lead: 90 })
    const { ticks, timeOf } = readMidi(await toMidi(record(late)))
    const lead = leadOf(late, ticks, timeOf)
    expect(lead % 4).toBe(0)
    expect(Math.abs(timeOf(lead * ticks) - 90)).toBeLessThan(0.01)
  })

  /** Beats before the first one of the track. */
  function leadOf(one: AnalysisDocument, ticks: number, timeOf: (tick: number) => number): number {
    const first = one.beats[0]!.start
    for (let beat = 0; beat < 1000; beat++)
      if (Math.abs(timeOf(beat * ticks) - first) < 0.0101) return beat
    throw new Error('no beat there')
  }

  /** The ticks with which bars begin. */
  function linesOf(
    signatures: readonly { tick: number; beats: number }[],
    ticks: number,
    beats: number,
  ): number[] {
    const lines: number[] = []
    for (let tick = 0; tick < beats * ticks; ) {
      lines.push(tick)
      tick += signatures.findLast((one) => one.tick <= tick)!.beats * ticks
    }
    return lines
  }
})

describe('collections', () => {
  const one = record(steady, { comment: 'A & B', rating: 4, colour: '#ff7f00' })
  const two = record(drifting, { file: '/music/two.mp3', title: 'Two', rating: 0 })
  const three = record(irregular, { file: '/music/three.mp3', title: 'Three' })
  const options = {
    playlists: [
      { name: 'Early', tracks: [two, one] },
      { name: 'Late', tracks: [one, three, one] },
    ],
  }

  it('of Rekordbox hold each track once and several playlists, comments, ratings and colours', async () => {
    const xml = readXml(await toRekordbox([one], options))
    const [collection] = all(xml, 'COLLECTION')
    const tracks = all(collection!, 'TRACK').map(({ attributes }) => attributes)
    expect(tracks.map(({ TrackID, Name }) => [TrackID, Name])).toEqual([
      ...[
        ['1', 'One'],
        ['2', 'Two'],
        ['3', 'Three'],
      ],
    ])
    expect(tracks[0]).toMatchObject({ Comments: 'A & B', Rating: '204', Colour: '0xFF7F00' })
    expect(tracks[1]).toMatchObject({ Rating: '0' })
    expect(tracks[2]).not.toHaveProperty('Rating')
    const lists = all(xml, 'NODE').filter(({ attributes }) => attributes.Type === '1')
    expect(
      lists.map((list) => [
        list.attributes.Name,
        list.attributes.Entries,
        all(list, 'TRACK')
          .map(({ attributes }) => attributes.Key)
          .join(' '),
      ]),
    ).toEqual([
      ['Early', '2', '2 1'],
      ['Late', '3', '1 3 1'],
    ])
    expect(all(xml, 'NODE')[0]!.attributes.Count).toBe('2')
  })

  it('of Traktor likewise, with the tempo of a drifting track', async () => {
    const xml = readXml(await toTraktor([one], options))
    const entries = all(all(xml, 'COLLECTION')[0]!, 'ENTRY')
    expect(entries).toHaveLength(3)
    expect(all(entries[0]!, 'INFO')[0]!.attributes).toMatchObject({
      ...{ COMMENT: 'A & B', RANKING: '204', COLOR: '2' },
    })
    const tempo = Number(all(entries[1]!, 'TEMPO')[0]!.attributes.BPM)
    expect(tempo).toBeCloseTo(drifting.track.tempo, 5)
    const lists = all(xml, 'NODE').filter(({ attributes }) => attributes.TYPE === 'PLAYLIST')
    expect(
      lists.map((list) => [
        list.attributes.NAME,
        all(list, 'PRIMARYKEY').map(({ attributes }) => attributes.KEY!.split(':').at(-1)),
      ]),
    ).toEqual([
      ['Early', ['two.mp3', 'one.mp3']],
      ['Late', ['one.mp3', 'three.mp3', 'one.mp3']],
    ])
  })

  it('are refused with two playlists of one name, ratings and colours that no format has', async () => {
    const twice = { playlists: [options.playlists[0]!, options.playlists[0]!] }
    await expect(toRekordbox([one], twice)).rejects.toThrow('"Early" twice')
    await expect(toTraktor([{ ...one, rating: 80 }])).rejects.toThrow('must be stars, 0 to 5')
    await expect(toMixxx({ ...one, colour: 'red' })).rejects.toThrow('must be a colour, #rrggbb')
    expect(await toMixxx(one)).toMatchObject({ rating: 4, comment: 'A & B', color: 0xff7f00 })
  })

  it('hold one cue at each point, and none that is not sure at all', async () => {
    const { introEnd, loudest } = cues(steady)
    expect(introEnd!.time).toBe(loudest!.time)
    const named = (xml: string) =>
      all(readXml(xml), 'POSITION_MARK').map(({ attributes }) => attributes)
    const marks = named(await toRekordbox([one]))
    const starts = marks.map(({ Start }) => Number(Start))
    expect(new Set(starts).size).toBe(starts.length)
    expect(starts).toEqual([...starts].sort((a, b) => a - b))
    expect(
      marks.find(({ Start }) => Number(Start) === Number(introEnd!.time.toFixed(3)))!.Name,
    ).toBe('Intro end')
    const unsure = { ...steady, bars: steady.bars.map((bar) => ({ ...bar, confidence: 0 })) }
    expect(named(await toRekordbox([record(unsure)]))).toEqual([])
  })
})

describe('playlists', () => {
  it.each([
    ['/music/lists', '/music/a/b.mp3', '../a/b.mp3'],
    ['/music', '/music/b.mp3', 'b.mp3'],
    ['/music/', '/other/#b.mp3', '../other/#b.mp3'],
    ['/music', '/music/#b.mp3', './#b.mp3'],
    ['C:\\Music\\Lists', 'c:\\music\\a\\b.mp3', '../a/b.mp3'],
    ['C:\\Music', 'D:\\b.mp3', 'D:\\b.mp3'],
    ['\\\\nas\\music', '\\\\nas\\music\\b.mp3', 'b.mp3'],
  ])('toM3u in %s has %s as %s', async (base, file, path) => {
    expect((await toM3u([{ file }], { base })).split('\n')[2]).toBe(path)
    await expect(toM3u([{ file }], { base: 'lists' })).rejects.toThrow('is relative')
  })

  it('toM3u has a line about each track, and its path', async () => {
    const text = await toM3u([
      record(steady),
      { file: '#1.mp3' },
      { file: 'C:\\Music\\b.mp3', title: 'Two\nlines', duration: 61.4 },
    ])
    expect(text.split('\n')).toEqual([
      '#EXTM3U',
      ...['#EXTINF:130,Somebody - One', '/music/one.mp3'],
      ...['#EXTINF:-1,#1.mp3', './#1.mp3'],
      ...['#EXTINF:61,Two lines', 'C:\\Music\\b.mp3'],
      '',
    ])
    await expect(toM3u([{ file: 'a\nb.mp3' }])).rejects.toThrow('line break')
    await expect(toM3u([{ title: 'Lost' }])).rejects.toThrow('no file')
  })

  it('toXspf has locations as URLs and all names', async () => {
    const xml = readXml(
      await toXspf([record(steady, { title: ODD.title, file: ODD.file }), { file: 'a b/c#.mp3' }], {
        name: 'A&B',
      }),
    )
    expect(xml).toMatchObject({
      ...{ name: 'playlist', attributes: { version: '1', xmlns: 'http://xspf.org/ns/0/' } },
    })
    const text = (name: string) => all(xml, name).map((element) => element.text)
    expect(text('location')).toEqual([
      'file:///music/%231%20100%25%20%22a%26b%22/%C3%A4%20%3F%20%C3%A9.mp3',
      'a%20b/c%23.mp3',
    ])
    expect(new URL(text('location')[0]!).protocol).toBe('file:')
    expect(text('title')).toEqual(['A&B', ODD.shown, 'c#.mp3'])
    expect(text('creator')).toEqual(['Somebody'])
    expect(text('duration')).toEqual(['130000'])
  })

  it('ask for no analysis', async () => {
    const handle = {
      answer: { title: 'One' },
      files: [{ path: '/music/one.mp3' }],
      analysis: () => Promise.reject(new Error('asked')),
    }
    expect(await toM3u([handle])).toContain('/music/one.mp3')
    await expect(toCsv([handle])).rejects.toThrow('asked')
  })
})

describe('toAudacity', () => {
  const lines = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))

  it('has the chosen labels in the order of time', async () => {
    const bars = lines(await toAudacity(record(irregular), { labels: ['bars'] }))
    expect(bars.map(([from, to]) => [Number(from), Number(to)])).toEqual(
      irregular.bars.map(({ start, duration }) => [
        expect.closeTo(start, 5),
        expect.closeTo(start + duration, 5),
      ]),
    )
    const beats = lines(await toAudacity(record(irregular), { labels: ['beats'] }))
    expect(beats.map(([, , name]) => name).slice(74, 84)).toEqual([
      ...['3', '4', '1', '2', '1', '2', '3', '4', '1', '2'],
    ])
    const both = lines(
      await toAudacity(record(steady), { labels: ['sections', 'cues', 'phrases'] }),
    )
    const times = both.map(([from]) => Number(from))
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(both.map(([, , name]) => name)).toEqual(
      expect.arrayContaining(['Section 1', 'Mix in', '16 bars']),
    )
    expect(lines(await toAudacity(record(steady)))).toHaveLength(3 + 7)
  })

  it('has what was heard, of records and of handles', async () => {
    const sounds = { voice: [{ start: 1, duration: 2.5 }], applause: [{ start: 0, duration: 0.5 }] }
    const heard = ['0.000000\t0.500000\tApplause', '1.000000\t3.500000\tVoice']
    const options = { labels: ['sounds' as const] }
    const text = await toAudacity({ ...record(steady), sounds }, options)
    expect(text.trimEnd().split('\n')).toEqual(heard)
    const handle = (answer: () => Promise<typeof sounds>) => ({
      answer: { title: 'Song' },
      files: [{ path: '/song.mp3' }],
      analysis: async () => steady,
      sounds: answer,
    })
    expect(
      await toAudacity(
        handle(async () => sounds),
        options,
      ),
    ).toBe(text)
    const unheard = handle(() => Promise.reject(new Error('not heard')))
    expect(await toAudacity(unheard, options)).toBe('')
    const bad = { ...record(steady), sounds: { voice: [{ start: 'now' }] } } as never
    await expect(toAudacity(bad, options)).rejects.toThrow(/voice of .* must be a list of starts/)
  })

  it('gives a list for several tracks, which may come one by one', async () => {
    async function* some() {
      yield record(steady)
      yield record(drifting)
    }
    const texts = await toAudacity(some())
    expect(texts).toEqual([await toAudacity(record(steady)), await toAudacity(record(drifting))])
  })
})

describe('toJams', () => {
  it('has beats, tempo, key, sections and cues by their namespaces', async () => {
    const jams = JSON.parse(await toJams(record(irregular)))
    expect(jams.file_metadata).toMatchObject({ title: 'One', artist: 'Somebody', release: 'All' })
    expect(jams.file_metadata.duration).toBe(irregular.track.duration)
    const of = (name: string) =>
      jams.annotations.find((one: { namespace: string }) => one.namespace === name).data
    expect(of('beat')).toHaveLength(irregular.beats.length)
    expect(of('beat')[79]).toEqual({ time: 39.5, duration: 0, value: 2, confidence: 0.9 })
    expect(of('tempo')[0]).toMatchObject({ time: 0, value: 120, confidence: 0.9 })
    expect(of('key_mode')[0]).toMatchObject({ value: 'C:major', confidence: 0.8 })
    expect(of('segment_open')).toHaveLength(3)
    expect(of('tag_open').map(({ value }: { value: string }) => value)).toContain('Mix in')
    for (const one of jams.annotations)
      for (const { time, duration, confidence } of one.data) {
        expect(time + duration).toBeLessThanOrEqual(irregular.track.duration + 1e-9)
        expect(confidence).toBeGreaterThanOrEqual(0)
      }
  })
})

describe('toCsv', () => {
  it('has a header and a row for each track, quoted where it must be', async () => {
    const title = 'a "b", c\nd'
    const text = await toCsv([record(steady, { title }), record({ ...drifting, bars: [] })])
    expect(text).toContain('"a ""b"", c\nd"')
    const rows = text.replace(/"a .*\n.*?"/, 'x').split('\r\n')
    expect(rows).toHaveLength(4)
    const table = rows.map((row) => row.split(','))
    const cell = (row: number, name: string) => table[row]![table[0]!.indexOf(name)]
    expect(new Set(table.slice(0, 3).map((row) => row.length)).size).toBe(1)
    expect(cell(1, 'bpm')).toBe('126.000')
    expect([cell(1, 'key'), cell(1, 'camelot')]).toEqual(['C', '8B'])
    expect(Number(cell(1, 'mixOut'))).toBeCloseTo(cues(steady).mixOut!.time, 3)
    expect(cell(1, 'phrases')?.split(' ')).toHaveLength(4)
    expect(cell(2, 'mixOut')).toBe('')
    expect(await toCsv([])).toBe(`${rows[0]}\r\n`)
  })
})
