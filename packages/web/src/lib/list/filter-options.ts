import { excluding } from '@benchwatch/contract/vocabulary'
import type { FilterChoice, FilterVocabulary } from './filter-choice.ts'

/** A value that a filter offers. */
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
 * Returns the options of every category: the values of the caller's filter data, and named values that are no longer
 * offered, so that they stay visible and can be unticked. Values match case-insensitively, as on the server.
 */
export function offeredOptions<C extends string>(
  { categories, closed }: FilterVocabulary<C>,
  input: {
    /** Undefined while loading or after a failure: then only the fixed lists are offered. */
    filterData: readonly { key: string; values: readonly string[] }[] | undefined
    chosen: FilterChoice<C>
    /** The previous choice stays in the list, so that a slip can be undone. */
    chosenBefore?: FilterChoice<C>
    /** Returns the label of a value. */
    labelOf: (category: C, value: string) => string
    /** Sorts the values of a category, if not in the order of the filter data. */
    sort?: (category: C, values: readonly string[]) => readonly string[]
  },
): OfferedCategory<C>[] {
  const { filterData, chosen, chosenBefore, labelOf, sort = (_category, values) => values } = input
  return categories.map(({ key, label }) => {
    const known = filterData?.find((category) => category.key === key)?.values
    const values = known ?? closed[key] ?? []
    const named = [chosen, chosenBefore].flatMap((choice) => [choice?.[key] ?? [], choice?.[excluding(key)] ?? []])
    const ofChosen = [...new Set(named.flat())]
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
