import { defaultPageSize } from '@benchwatch/contract/vocabulary'
import { type AddressParameters, asText, type PageSize, readPage, readPageSize } from '../../lib/list/list-address.ts'

/** What the address of the list of notifications says. */
export interface NotificationSearch {
  /** Whose they are; null for one's own. */
  userId: string | null
  page: number
  pageSize: PageSize
}

/** Reads an address that anybody may have written: what is not understood is as usual. */
export function readNotificationSearch(parameters: AddressParameters): NotificationSearch {
  return {
    userId: readUserId(parameters.user),
    page: readPage(parameters.page),
    pageSize: readPageSize(parameters.pageSize),
  }
}

/** The inverse; what is as usual is left out. */
export function writeNotificationSearch({ userId, page, pageSize }: NotificationSearch): Record<string, string> {
  return {
    ...(userId !== null && { user: userId }),
    ...(page > 1 && { page: String(page) }),
    ...(pageSize !== defaultPageSize && { pageSize: String(pageSize) }),
  }
}

/** Whose notifications an address asks for; null for one's own, and for what is no id. */
export function readUserId(value: unknown): string | null {
  const text = asText(value)
  return /^\d{1,18}$/.test(text) ? text : null
}
