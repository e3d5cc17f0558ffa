import type { ReactNode } from 'react'
import { SegmentedControl } from '../../ui/form/segmented-control.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { FewerPages, Pagination, pageCount } from '../../ui/list/pagination.tsx'
import { ErrorState } from '../../ui/text/notice.tsx'
import type { WaitingPage } from './backoffice.api.ts'
import styles from './backoffice.module.css'

/** A paged list of open or resolved items: a switch between both, the table and the pages. */
export function WaitingList<State extends string>(props: {
  label: string
  states: readonly { value: State; label: string }[]
  state: State
  onState: (state: State) => void
  filters?: ReactNode
  place: WaitingPage
  onPlace: (place: WaitingPage) => void
  list: {
    data: { values: readonly unknown[]; total: number } | undefined
    error: Error | null
    isPlaceholderData: boolean
    refetch: () => unknown
  }
  failureTitle: string
  empty: ReactNode
  children: ReactNode
}) {
  const { list, place } = props
  const total = list.data?.total ?? 0
  const pages = pageCount(total, place.pageSize)
  const isBeyondEnd = list.data?.values.length === 0 && !list.isPlaceholderData
  return (
    <div className={styles.section}>
      <div className={styles.tools}>
        <SegmentedControl
          label={props.label}
          value={props.state}
          options={props.states}
          onChange={(state) => props.onState(state)}
        />
        {props.filters}
      </div>
      <Card flush>
        {list.data === undefined && list.error !== null ? (
          <ErrorState title={props.failureTitle} onRetry={() => void list.refetch()}>
            {list.error.message}
          </ErrorState>
        ) : list.data !== undefined && total === 0 ? (
          props.empty
        ) : isBeyondEnd ? (
          <FewerPages onLastPage={() => props.onPlace({ ...place, page: pages })} />
        ) : (
          props.children
        )}
        {total > 0 && (
          <div className={styles.pages}>
            <Pagination
              page={Math.min(place.page, pages)}
              pageSize={place.pageSize}
              total={total}
              onPage={(page) => props.onPlace({ ...place, page })}
              onPageSize={(pageSize) => props.onPlace({ page: 1, pageSize })}
            />
          </div>
        )}
      </Card>
    </div>
  )
}
