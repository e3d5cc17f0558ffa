import { COMPONENT_MODULE } from '@benchwatch/contract/patterns'

/** What tells one of several alike apart: `B`, `2`, `A1`, `12`. */
const DESIGNATOR = /\s+(?:[A-Z]\d{0,2}|\d{1,3})$/

/** Type of a component by its name: `Pump B (P9-B)` is a `Pump`, `UV monitor (U9-M)` a `UV monitor`. */
export function componentTypeOf(name: string): string {
  const withoutModule = name.replace(COMPONENT_MODULE, '').trim()
  return withoutModule.replace(DESIGNATOR, '') || withoutModule || name
}
