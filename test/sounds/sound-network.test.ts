import { describe, expect, it } from 'vitest'
import { SOUND_MODEL } from '../../src/sounds/known-model.ts'
import { PATCH, readNetwork } from '../../src/sounds/read-network.ts'
import { openSoundNetwork, readSoundModel } from '../../src/sounds/sound-model.ts'
import { SoundNetwork } from '../../src/sounds/sound-network.ts'
import { madeNetwork, networkFile } from '../support/made-network.ts'
import { seeded } from '../support/music.ts'
import { plainHearing } from './plain-layers.ts'

function madePatch(seed: number): Float32Array {
  const random = seeded(seed)
  return Float32Array.from({ length: PATCH.frames * PATCH.bands }, () => 12 * random() - 7)
}

describe('the layers of a network', () => {
  it.each([1, 2, 3])('make the bits of the plain reference (network %i)', (seed) => {
    const read = readNetwork(networkFile(madeNetwork(seed)))
    const network = new SoundNetwork(read)
    const patch = madePatch(seed)
    const scores = [...network.hear(patch)]
    expect(scores).toEqual(plainHearing(read, patch))
    expect(new Set(scores).size).toBeGreaterThan(100)
    // A second patch meets what the first one left in memory.
    const other = madePatch(seed + 10)
    expect([...network.hear(other)]).toEqual(plainHearing(read, other))
  })

  it('give as many scores as the network has classes, also in no full group', () => {
    const network = new SoundNetwork(readNetwork(networkFile(madeNetwork(4, 13))))
    expect(network.hear(madePatch(1))).toHaveLength(13)
  })
})

describe('the file of a network', () => {
  it('is compared with its checksum', async () => {
    const file = networkFile(madeNetwork())
    await expect(openSoundNetwork(file)).rejects.toThrow(
      new RegExp(`SHA-256 is [0-9a-f]{64}, not ${SOUND_MODEL.sha256}: it is damaged`),
    )
  })

  it('must have the classes of AudioSet', async () => {
    const file = networkFile(madeNetwork(1, 10))
    const sum = await import('node:crypto').then(({ createHash }) =>
      createHash('sha256').update(file).digest('hex'),
    )
    await expect(readSoundModel(file, sum)).rejects.toThrow('it has 10 classes instead of 521')
  })

  it.each([0, 9 << 20])('of %i bytes is refused before anything else', async (size) => {
    await expect(openSoundNetwork(new Uint8Array(size))).rejects.toThrow(`it has ${size} bytes`)
  })
})
