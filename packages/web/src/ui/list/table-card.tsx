import { Divider } from '@mantine/core'
import '@mantine/core/styles/Divider.layer.css'
import type { ReactNode } from 'react'
import type { ListPlace } from '../../lib/list/list-address.ts'
import { Card } from '../layout/card.tsx'
import { FailedQuery } from '../text/notice.tsx'
import { DataTable, type DataTableProps } from './data-table.tsx'
import { FewerPages, Pagination, pageCount } from './pagination.tsx'

/** Anything that returns rows, or pages of them, such as a query. */
export interface Answer<Row> {
  data: readonly Row[] | { values: readonly Row[]; total: number } | undefined
  error: Error | null
  isPlaceholderData: boolean
  refetch: () => unknown
}

export interface TableCardProps<Row> extends Omit<DataTableProps<Row>, 'rows' | 'isStale'> {
  answer: Answer<Row>
  failureTitle: string
  /** Shown if nothing was found. */
  empty?: ReactNode
}

/**
 * A table in a card, with its pages if it has a `place`. An error replaces the table until a retry succeeds; a failed
 * refresh leaves the rows.
 */
export function TableCard<Row>({
  answer,
  failureTitle,
  empty,
  place,
  onPlace,
  ...table
}: TableCardProps<Row> & { place?: ListPlace; onPlace?: (place: ListPlace) => void }) {
  const { data, error, isPlaceholderData } = answer
  const { values: rows, total } = data !== undefined && 'total' in data ? data : { values: data, total: data?.length }
  const pages = pageCount(total ?? 0, place?.pageSize ?? 1)
  const hasFailed = data === undefined && error !== null
  return (
    <Card flush>
      {hasFailed ? (
        <FailedQuery title={failureTitle} query={answer} />
      ) : total === 0 ? (
        empty
      ) : rows?.length === 0 && place && !isPlaceholderData ? (
        <FewerPages onLastPage={() => onPlace?.({ ...place, page: pages })} />
      ) : (
        <DataTable {...table} rows={rows} isStale={isPlaceholderData} />
      )}
      {place && !hasFailed && total !== 0 && (
        <>
          <Divider />
          <Pagination
            page={Math.min(place.page, pages)}
            pageSize={place.pageSize}
            total={total}
            onPage={(page) => onPlace?.({ ...place, page })}
            onPageSize={(pageSize) => onPlace?.({ page: 1, pageSize })}
          />
        </>
      )}
    </Card>
  )
}
