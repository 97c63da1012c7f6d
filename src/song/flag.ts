import { z } from 'zod'

/** A yes or no, as typed callers and old clients write it. */
export const flag = z
  .union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')])
  .optional()
