import type { ViewState } from '@benchwatch/contract/views'
import type { ViewArea } from '@benchwatch/contract/vocabulary'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { AddressParameters } from '../../lib/list/list-address.ts'
import {
  type AddressedList,
  hasLostRange,
  isMisleading,
  rememberedSearch,
  rememberListAddress,
  wasListLeftAsUsual,
} from '../../lib/list/list-memory.ts'
import { showNotice } from '../../ui/overlay/toasts.ts'
import { rememberAppliedView } from './applied-view.ts'
import { defaultViewOf, mayHaveDefaultView, viewsQuery } from './views.api.ts'

type Setup = { temporaryFilters: boolean; columns: readonly string[] | null }

/** A list with views; the same object all the time. */
export interface OpenedList<S extends Setup> extends AddressedList<S> {
  area: ViewArea
  /** The first page of a view; what no view holds stays as it is. `now` in milliseconds. */
  searchOfView: (state: ViewState, from: S, now: number) => S
}

/** A list that waits longer for its default view is of less use than one without it. */
const PATIENCE_MS = 2000

/**
 * With what the list opens where its address leaves that open: an address that says nothing takes the default view; where
 * there is none, and in any address without filters or columns, those that this browser remembers count. Asked once as the
 * screen opens; afterwards the address alone counts, so that the back button leads to where the person was.
 *
 * An address that says something else than what is shown, such as `page=abc`, is replaced by what it shows.
 *
 * `show` writes the address. Until it has it, `search` is already what it will say. While `isWaiting`, the default view is not
 * known yet and no list may be asked for; a failure or a slow answer ends that. `decide` is told once a person chose by
 * themselves.
 */
export function useListOpening<S extends Setup>(
  list: OpenedList<S>,
  parameters: AddressParameters,
  show: (search: S) => Promise<unknown>,
): { search: S; isWaiting: boolean; decide: () => void } {
  const [opening, setOpening] = useState(() => openingOf(list, parameters))
  const wantsDefault = opening === 'default view'
  const { data: views, isError } = useQuery({ ...viewsQuery(), enabled: wantsDefault })
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (!wantsDefault) return
    const timer = setTimeout(() => setLate(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [wantsDefault])

  const view = wantsDefault && views !== undefined ? defaultViewOf(views, list.area) : undefined
  const isWaiting = wantsDefault && views === undefined && !isError && !isLate
  const read = list.read(parameters)
  const remembered = isWaiting || isDone(opening) ? null : rememberedSearch(list, parameters)
  const next = view === undefined ? remembered : list.searchOfView(view.state, read, Date.now())
  const address = JSON.stringify(list.write(next ?? read))

  const write = useEffectEvent(() => {
    if (view !== undefined) rememberAppliedView(list.area, view.id)
    // An address that cannot say more is as it should be; the others are written once.
    if (next === null) setOpening(views === undefined ? 'without the default view' : null)
    else void show(next).then(() => setOpening(null))
  })
  const isOpen = isDone(opening)
  useEffect(() => {
    if (!isOpen && !isWaiting) write()
  }, [isOpen, isWaiting])

  const correct = useEffectEvent(() => {
    if (hasLostRange(list, parameters))
      showNotice({
        title: 'The date range in the address can’t be used',
        message: `It ends before it starts, lies in the future or can’t be read. ${list.withoutRange}`,
      })
    // Otherwise the opening writes it.
    if (next === null) void show(read)
  })
  const misleading = isMisleading(list, parameters) ? JSON.stringify(parameters) : null
  useEffect(() => {
    if (misleading !== null) correct()
  }, [misleading])

  const isMakeshift = wantsDefault || opening === 'without the default view'
  useEffect(() => {
    // The usual list is nobody's wish where it only stands in for a default view that could not be read.
    if (isWaiting || (isMakeshift && address === '{}')) return
    rememberListAddress(list, JSON.parse(address) as Record<string, string>)
  }, [list, address, isWaiting, isMakeshift])

  return { search: next ?? read, isWaiting, decide: () => setOpening(null) }
}

/** What is still to be settled; null once the address decides. */
type Opening = 'default view' | 'without the default view' | 'remembered' | null

function isDone(opening: Opening): boolean {
  return opening === null || opening === 'without the default view'
}

function openingOf<S extends Setup>(list: OpenedList<S>, parameters: AddressParameters): Opening {
  const saysNothing = Object.keys(list.write(list.read(parameters))).length === 0
  if (saysNothing && !wasListLeftAsUsual(list) && mayHaveDefaultView(list.area)) return 'default view'
  return rememberedSearch(list, parameters) === null ? null : 'remembered'
}
