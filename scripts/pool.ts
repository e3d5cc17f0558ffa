/** Works through `items`, at most `width` at a time; the answers stand in the order of the items. */
export async function inPool<T, R>(width: number, items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = []
  const waiting = [...items.entries()]
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) answers[next[0]] = await work(next[1])
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker))
  return answers
}
