import type { FilterChoice, FilterVocabulary } from './filter-choice.ts'

/** What can be chosen in the filters of a list. */

export interface FilterOption {
  value: string
  label: string
  note?: string
}

export interface OfferedCategory<Category extends string> {
  key: Category
  label: string
  options: FilterOption[]
}

/**
 * Every category with what can be chosen in it: the values of the caller's filter data, and what is chosen although it is
 * not offered any more, so that it can be seen and taken away. Values match whatever their case, as they do at the server.
 */
export function offeredOptions<C extends string>(
  { categories, closed }: FilterVocabulary<C>,
  input: {
    /** Undefined until it is read, and where it can't be: the lists that are the same for everybody stand in. */
    filterData: readonly { key: string; values: readonly string[] }[] | undefined
    chosen: FilterChoice<C>
    /** What was chosen before: it stays as well, so that a slip can be undone. */
    chosenBefore?: FilterChoice<C>
    /** What a person reads for a value. */
    labelOf: (category: C, value: string) => string
    /** The order of a category's values where it is not that of the filter data. */
    sort?: (category: C, values: readonly string[]) => readonly string[]
  },
): OfferedCategory<C>[] {
  const { filterData, chosen, chosenBefore, labelOf, sort = (_category, values) => values } = input
  return categories.map(({ key, label }) => {
    const known = filterData?.find((category) => category.key === key)?.values
    const values = known ?? closed[key] ?? []
    const before = chosenBefore?.[key] ?? []
    const ofChosen = [...new Set([...(chosen[key] ?? []), ...before])]
    const asChosen = values.map((value) => ofChosen.find((one) => isSame(one, value)) ?? value)
    const gone = ofChosen.filter((one) => !values.some((value) => isSame(one, value)))
    const options = [
      ...sort(key, asChosen).map((value) => ({ value, label: labelOf(key, value) })),
      ...gone.map((value) => ({
        value,
        label: labelOf(key, value),
        ...(known !== undefined && { note: '(not offered any more)' }),
      })),
    ]
    return { key, label, options }
  })
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
