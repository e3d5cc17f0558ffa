import type { SeededRandom } from '../seeded-random.ts'

const RANGE = /\{(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)\}/g

/** Fills the placeholders of a fault's detail: `{6.1-6.9}` becomes such a number, `{method}` the method's name. */
export function fillDetail(detail: string, random: SeededRandom, method: string): string {
  return detail
    .replace(RANGE, (_range, low: string, high: string) => {
      const decimals = low.split('.')[1]?.length ?? 0
      return random.between(Number(low), Number(high)).toFixed(decimals)
    })
    .replaceAll('{method}', method || 'manual instructions')
}
