import { type InstrumentType, instrumentTypes } from '@benchwatch/contract/vocabulary'
import { type ListSearch, readListSearch, writeListSearch } from '../../lib/list/list-address.ts'

/** What the address of the list of templates says. */
export interface TemplateSearch extends ListSearch {
  /** Null for all. */
  instrumentType: InstrumentType | null
  underReview: 'true' | 'false' | null
}

/** Reads an address that anybody may have written: what is no choice chooses nothing. */
export function readTemplateSearch(parameters: Record<string, string | undefined>): TemplateSearch {
  const { instrumentType, underReview } = parameters
  return {
    ...readListSearch(parameters),
    instrumentType: instrumentTypes.find((known) => known === instrumentType) ?? null,
    underReview: underReview === 'true' || underReview === 'false' ? underReview : null,
  }
}

/** The inverse; what is as usual is left out. */
export function writeTemplateSearch({ instrumentType, underReview, ...list }: TemplateSearch): Record<string, string> {
  return {
    ...writeListSearch(list),
    ...(instrumentType !== null && { instrumentType }),
    ...(underReview !== null && { underReview }),
  }
}

/** Whether the list shows less than all templates. */
export function isNarrowed({ keyword, instrumentType, underReview }: TemplateSearch): boolean {
  return keyword.trim() !== '' || instrumentType !== null || underReview !== null
}
