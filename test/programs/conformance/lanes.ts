/** Does a number of tasks at a time; the results stand in the order of the tasks. */
export async function inLanes<T, R>(
  tasks: readonly T[],
  lanes: number,
  work: (task: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const lane = async () => {
    for (let i = next++; i < tasks.length; i = next++) results[i] = await work(tasks[i] as T)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return results
}
