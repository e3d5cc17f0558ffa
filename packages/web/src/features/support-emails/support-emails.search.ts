import { INSTRUMENT_TYPE } from '@benchwatch/contract/patterns'
import { type ListSearch, readListSearch, writeListSearch } from '../../lib/list/list-address.ts'

/** The state of the template list as stored in the address. */
export interface TemplateSearch extends ListSearch {
  /** Null for all. */
  instrumentType: string | null
  underReview: 'true' | 'false' | null
}

/** Reads an address, which may contain anything. Invalid values select nothing. */
export function readTemplateSearch(parameters: Record<string, string | undefined>): TemplateSearch {
  const { instrumentType, underReview } = parameters
  return {
    ...readListSearch(parameters),
    instrumentType: instrumentType !== undefined && INSTRUMENT_TYPE.test(instrumentType) ? instrumentType : null,
    underReview: underReview === 'true' || underReview === 'false' ? underReview : null,
  }
}

/** Writes an address; defaults are left out. */
export function writeTemplateSearch({ instrumentType, underReview, ...list }: TemplateSearch): Record<string, string> {
  return {
    ...writeListSearch(list),
    ...(instrumentType !== null && { instrumentType }),
    ...(underReview !== null && { underReview }),
  }
}

/** Returns true if the list shows less than all templates. */
export function isNarrowed({ keyword, instrumentType, underReview }: TemplateSearch): boolean {
  return keyword.trim() !== '' || instrumentType !== null || underReview !== null
}
