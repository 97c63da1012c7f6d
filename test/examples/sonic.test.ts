import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { PACKAGE } from '../support/built.ts'
import { assorted, mixLibrary } from '../support/mix-library.ts'
import { scratch } from '../support/scratch.ts'

const head = {
  version: '1.16.1',
  type: 'audile',
  serverVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/),
  openSubsonic: true,
}

it('sonic answers what clients of OpenSubsonic ask about similar tracks', async () => {
  const folder = scratch()
  const plans = assorted(4).map((plan, i) => ({ ...plan, file: join(folder, `${i}.mp3`) }))
  const { music, tracks, database } = await mixLibrary(plans)
  const similar = await music.tracks.similar(tracks[0]!, { results: 20 })
  const path = await music.mixes.path(tracks[0]!, tracks[9]!, { length: 4 })
  await music.close()
  const map = join(folder, 'files.json')
  // The music server lacks the last one.
  const ids = plans.slice(0, 15).map(({ file }, i) => [`tr-${i}`, file])
  writeFileSync(map, JSON.stringify(Object.fromEntries(ids)))
  const server = spawn(
    process.execPath,
    [join(PACKAGE, 'examples/sonic/server.mjs'), database, map],
    { cwd: PACKAGE, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  onTestFinished(() => void server.kill('SIGKILL'))
  const [line] = await once(server.stdout, 'data')
  const address = String(line).trim()
  const ask = async (request: string) => {
    const response = await fetch(`${address}${request}`)
    const body = (await response.json()) as Record<string, unknown>
    return { status: response.status, answer: body['subsonic-response'] }
  }
  const idOf = (id: string) => `tr-${tracks.findIndex((track) => track.id === id)}`
  const matchOf = (id: string, similarity: number) => {
    const { title, artist, release: album } = tracks.find((track) => track.id === id)!.answer
    return { entry: { id: idOf(id), isDir: false, title, artist, album }, similarity }
  }

  expect(await ask('getOpenSubsonicExtensions.view?f=json')).toEqual({
    status: 200,
    answer: {
      status: 'ok',
      ...head,
      openSubsonicExtensions: [{ name: 'sonicSimilarity', versions: [1] }],
    },
  })
  const known = similar.filter(({ id }) => id !== tracks[15]!.id)
  expect(known.length).toBe(similar.length - 1)
  const sonicMatch = known.map(({ id, answer }) => matchOf(id, answer.similarity!))
  const asked = await ask('getSonicSimilarTracks?id=tr-0&count=20')
  expect(asked.answer).toEqual({ status: 'ok', ...head, sonicMatch })
  const usual = await ask('getSonicSimilarTracks?id=tr-0')
  expect(usual.answer).toMatchObject({ sonicMatch: sonicMatch.slice(0, 10) })
  const steps = path.map(({ track }) => track.id).filter((id) => id !== tracks[15]!.id)
  expect((await ask('findSonicPath.view?startSongId=tr-0&endSongId=tr-9&count=4')).answer).toEqual({
    ...{ status: 'ok', ...head },
    sonicMatch: steps.map((id) => matchOf(id, -1)),
  })

  const failed = async (request: string) => (await ask(request)).answer
  const error = (code: number) => ({ status: 'failed', ...head, error: { code } })
  expect(await failed('getSonicSimilarTracks')).toMatchObject(error(10))
  expect(await failed('getSonicSimilarTracks?id=tr-99')).toMatchObject(error(70))
  expect(await failed('getSonicSimilarTracks?id=tr-1&count=x')).toMatchObject(error(0))
  expect(await failed('findSonicPath?startSongId=tr-1')).toMatchObject(error(10))
  expect(await failed('findSonicPath?startSongId=tr-1&endSongId=tr-1')).toMatchObject(error(0))
  expect((await ask('stream?id=tr-1')).status).toBe(404)
  server.kill('SIGTERM')
  expect(await once(server, 'exit')).toEqual([0, null])
})
