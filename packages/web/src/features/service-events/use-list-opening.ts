import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { rememberAppliedView } from '../views/applied-view.ts'
import { defaultViewOf, mayHaveDefaultView, viewsQuery } from '../views/views.api.ts'
import { searchOfView } from './event-view.ts'
import { filtersToOpenWith, rememberListAddress, wasListLeftAsUsual } from './list-address.ts'
import { columnsToOpenWith } from './saved-columns.ts'
import { type AddressParameters, type EventSearch, readEventSearch, writeEventSearch } from './service-events.search.ts'

/** A list that waits longer for its default view is of less use than one without it. */
const PATIENCE_MS = 2000

/**
 * With what the list opens where its address leaves that open: an address that says nothing takes the default view; where
 * there is none, and in any address without filters or columns, those that this browser remembers count. Asked once as the
 * screen opens; afterwards the address alone counts, so that the back button leads to where the person was.
 *
 * `show` writes the address. Until it has it, `search` is already what it will say. While `isWaiting`, the default view is not
 * known yet and no list may be asked for; a failure or a slow answer ends that. `decide` is told once a person chose by
 * themselves.
 */
export function useListOpening(
  parameters: AddressParameters,
  show: (search: EventSearch) => Promise<unknown>,
): { search: EventSearch; isWaiting: boolean; decide: () => void } {
  const [opening, setOpening] = useState(() => openingOf(parameters))
  const wantsDefault = opening === 'default view'
  const { data: views, isError } = useQuery({ ...viewsQuery(), enabled: wantsDefault })
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (!wantsDefault) return
    const timer = setTimeout(() => setLate(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [wantsDefault])

  const view = wantsDefault && views !== undefined ? defaultViewOf(views, 'events') : undefined
  const isWaiting = wantsDefault && views === undefined && !isError && !isLate
  const read = readEventSearch(parameters)
  const remembered = isWaiting || isDone(opening) ? null : rememberedSearch(parameters)
  const next = view === undefined ? remembered : searchOfView(view.state, read, Date.now())
  const address = JSON.stringify(writeEventSearch(next ?? read))

  const write = useEffectEvent(() => {
    if (view !== undefined) rememberAppliedView('events', view.id)
    // An address that cannot say more is as it should be; the others are written once.
    if (next === null) setOpening(views === undefined ? 'without the default view' : null)
    else void show(next).then(() => setOpening(null))
  })
  const isOpen = isDone(opening)
  useEffect(() => {
    if (!isOpen && !isWaiting) write()
  }, [isOpen, isWaiting])

  const isMakeshift = wantsDefault || opening === 'without the default view'
  useEffect(() => {
    // The usual list is nobody's wish where it only stands in for a default view that could not be read.
    if (isWaiting || (isMakeshift && address === '{}')) return
    rememberListAddress(JSON.parse(address) as Record<string, string>)
  }, [address, isWaiting, isMakeshift])

  return { search: next ?? read, isWaiting, decide: () => setOpening(null) }
}

/** What is still to be settled; null once the address decides. */
type Opening = 'default view' | 'without the default view' | 'remembered' | null

function isDone(opening: Opening): boolean {
  return opening === null || opening === 'without the default view'
}

function openingOf(parameters: AddressParameters): Opening {
  const saysNothing = Object.keys(writeEventSearch(readEventSearch(parameters))).length === 0
  if (saysNothing && !wasListLeftAsUsual() && mayHaveDefaultView('events')) return 'default view'
  return rememberedSearch(parameters) === null ? null : 'remembered'
}

function rememberedSearch(parameters: AddressParameters): EventSearch | null {
  const filter = filtersToOpenWith(parameters)
  const columns = columnsToOpenWith(parameters)
  if (filter === null && columns === null) return null
  return { ...readEventSearch(parameters), ...(filter !== null && { filter }), ...(columns !== null && { columns }) }
}
