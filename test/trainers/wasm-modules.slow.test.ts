import { expect, test } from 'vitest'
import { checkedIn, compiled, KERNELS } from '../programs/trainers/wasm-modules.ts'

test.each(KERNELS)(
  'the module of $folder is what the compiler makes of its source',
  async (kernel) => {
    const made = await compiled(kernel)
    expect(made).toBeDefined()
    expect(checkedIn(kernel)).toBe(made)
  },
)
