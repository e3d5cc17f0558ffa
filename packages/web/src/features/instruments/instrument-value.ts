import { type InstrumentFilterCategory, instrumentFilterCategories } from '@benchwatch/contract/vocabulary'
import { filterValueOf } from '../../ui/list/filters/filter-value.tsx'

/** A value of an instrument that can be pressed to find the instruments that share it. */
export const InstrumentValue = filterValueOf<InstrumentFilterCategory>(instrumentFilterCategories)
