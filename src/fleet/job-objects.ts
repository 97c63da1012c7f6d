import { z } from 'zod'
import { audioName, type FleetTask, resultName } from './fleet-task.ts'
import { type ObjectMethod, RequestRefused, requestObject } from './object-request.ts'
import type { TakenJob } from './queue.ts'
import { FinalError } from './retry.ts'
import type { Store } from './store.ts'

/** As a worker uses them. */
export interface JobObjects {
  /** In pieces; `undefined` when it is not there. */
  audio(): Promise<AsyncIterable<Uint8Array> | undefined>
  putResult(bytes: Uint8Array): Promise<void>
  deleteResult(): Promise<void>
}

const addressSchema = z.url({ protocol: /^https?$/ })
const addressesSchema = z.strictObject({
  /** GET. */
  audio: addressSchema,
  /** PUT. */
  result: addressSchema,
  /** DELETE, for an unwanted result: a worker that may replace it may remove it too. */
  unwanted: addressSchema,
})

/** Signed URLs that allow these three requests on the objects of one job, and no others. */
export type JobAddresses = z.infer<typeof addressesSchema>

/** `undefined` when the store cannot sign. */
export async function signAddresses(
  store: Store,
  { id, task }: { id: string; task: FleetTask },
  seconds: number,
): Promise<JobAddresses | undefined> {
  if (!store.sign) return undefined
  const [audio, result, unwanted] = await Promise.all([
    store.sign('GET', audioName(task), seconds),
    store.sign('PUT', resultName(id), seconds),
    store.sign('DELETE', resultName(id), seconds),
  ])
  return { audio, result, unwanted }
}

/** It has expired, or its owner has lost its rights. */
export class NoAccess extends FinalError {
  override readonly isRefusal = true
}

export class NoStore extends FinalError {
  constructor() {
    super(
      "This worker was started without a store, and the job's owner has one that signs no addresses, " +
        'a folder for example: start the worker with that store (--store, or the option store).',
    )
  }
}

/**
 * By the worker's own store or by the addresses of the job.
 * @throws {NoStore} when there is neither
 * @throws {ZodError} when the addresses are invalid
 */
export function openJobObjects(
  job: TakenJob,
  task: FleetTask,
  store: Store | undefined,
): JobObjects {
  const result = resultName(job.id)
  if (store) {
    return {
      audio: () => store.get(audioName(task)),
      putResult: (bytes) => store.put(result, bytes),
      deleteResult: () => store.delete(result),
    }
  }
  if (job.addresses === undefined) throw new NoStore()
  const addresses = addressesSchema.parse(job.addresses)
  return {
    async audio() {
      const answer = await requestSigned('GET', audioName(task), addresses.audio)
      if (answer.status === 404) return undefined
      return (answer.body ?? []) as AsyncIterable<Uint8Array>
    },
    async putResult(bytes) {
      await requestSigned('PUT', result, addresses.result, bytes)
    },
    async deleteResult() {
      await requestSigned('DELETE', result, addresses.unwanted)
    },
  }
}

/** 400 is for expired temporary credentials. */
const REFUSAL_STATUSES = new Set<number | undefined>([400, 401, 403])

/** @throws {NoAccess} when the signature is refused: only its owner can make a new one */
async function requestSigned(
  method: ObjectMethod,
  name: string,
  url: string,
  content?: Uint8Array,
) {
  try {
    return await requestObject(method, name, { url, ...(content && { content }) })
  } catch (error) {
    if (error instanceof RequestRefused && REFUSAL_STATUSES.has(error.status)) {
      throw new NoAccess(error.message, { cause: error })
    }
    throw error
  }
}
