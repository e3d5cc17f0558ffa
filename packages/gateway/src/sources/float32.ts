/**
 * Returns the shortest decimal number that a float32 stands for: an instrument that shows 23.1 sends
 * 23.100000381469727, which is above a limit of 23.1.
 */
export function decimalOf(float32: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(float32.toPrecision(digits))
    if (Math.fround(short) === float32) return short
  }
  return float32
}
