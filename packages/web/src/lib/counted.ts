/** A number with its noun: '1 event', '1,284 events'. `many` where it is not the singular with an s. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
