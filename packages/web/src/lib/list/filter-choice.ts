import { excluding, type FilterKey } from '@benchwatch/contract/vocabulary'

/**
 * Chosen filters of a list and their compact form in an address: `severity=high,medium;siteCountry!=Sweden`
 * (3-decisions 4, "Query string").
 */

/** Wanted values by category, and excluded ones by `category!`; members without values are absent. */
export type FilterChoice<Category extends string> = Partial<Record<FilterKey<Category>, string[]>>

/** Filter categories of a list. */
export interface FilterVocabulary<Category extends string> {
  /** In the order of the panel. */
  categories: readonly { key: Category; label: string }[]
  /** Fixed value lists; any other value of these categories is dropped. */
  closed: Partial<Record<Category, readonly string[]>>
}

/** A category has at most 200 values of 200 characters; the server rejects more. */
const MAX_VALUES = 200
const MAX_VALUE_LENGTH = 200

/** Writes the compact form: categories in the panel's order, the four separators escaped in values. */
export function writeChoice<C extends string>({ categories }: FilterVocabulary<C>, chosen: FilterChoice<C>): string {
  return categories
    .flatMap(({ key }) => [key, excluding(key)])
    .filter((key) => chosen[key]?.length)
    .map((key) => `${key}=${chosen[key]?.map(escapeValue).join(',')}`)
    .join(';')
}

/**
 * Reads the compact form. Drops unknown categories, invalid values of closed lists, duplicates and anything too long.
 */
export function readChoice<C extends string>(vocabulary: FilterVocabulary<C>, compact: string): FilterChoice<C> {
  const chosen: FilterChoice<C> = {}
  for (const part of compact.split(';')) {
    const [name, list] = splitOnce(part, '=')
    const category = vocabulary.categories.find(({ key }) => key === name || excluding(key) === name)?.key
    if (category === undefined) continue
    const values = keepValues(vocabulary, category, list.split(',').map(unescapeValue))
    if (values.length > 0) chosen[name as FilterKey<C>] = values
  }
  return chosen
}

/** Returns the values that the category accepts, without duplicates. */
export function keepValues<C extends string>(
  { closed }: FilterVocabulary<C>,
  category: C,
  values: readonly string[],
): string[] {
  const list = closed[category]
  const known = list === undefined ? values : values.flatMap((value) => matchIgnoringCase(list, value))
  const usable = known.filter((value) => value !== '' && value.length <= MAX_VALUE_LENGTH)
  return [...new Set(usable)].slice(0, MAX_VALUES)
}

/**
 * Replaces the wanted or the excluded values of one category; none remove the member. A value is either wanted or
 * excluded, so the new ones are taken from the other member.
 */
export function replaceValues<C extends string>(
  chosen: FilterChoice<C>,
  key: FilterKey<C>,
  values: string[],
): FilterChoice<C> {
  const other = (key.endsWith('!') ? key.slice(0, -1) : excluding(key)) as FilterKey<C>
  const others = chosen[other]?.filter((value) => !values.includes(value)) ?? []
  const members = { ...chosen, [key]: values, [other]: others }
  return Object.fromEntries(Object.entries<string[]>(members).filter(([, list]) => list.length > 0)) as FilterChoice<C>
}

/** A value that was pressed where it is shown: to be wanted or, with Alt, excluded. */
export interface FilterPress {
  category: string
  value: string
  isExcluded: boolean
}

/** Adds the pressed value to the choice. Returns null if the list has no such category. */
export function withPressed<C extends string>(
  { categories }: FilterVocabulary<C>,
  chosen: FilterChoice<C>,
  { category, value, isExcluded }: FilterPress,
): FilterChoice<C> | null {
  const key = categories.find((one) => one.key === category)?.key
  if (key === undefined) return null
  const member = isExcluded ? excluding(key) : key
  return replaceValues(chosen, member, [...new Set([...(chosen[member] ?? []), value])])
}

function matchIgnoringCase(list: readonly string[], value: string): string[] {
  const match = list.find((item) => item.toLowerCase() === value.toLowerCase())
  return match === undefined ? [] : [match]
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)]
}

function escapeValue(value: string): string {
  return value.replace(/[%,;=]/g, encodeURIComponent)
}

function unescapeValue(value: string): string {
  return value.replace(/%(25|2C|3B|3D)/gi, decodeURIComponent)
}
