import { defaultPageSize } from '@benchwatch/contract/vocabulary'
import { type AddressParameters, asText, type ListPlace, readPage, readPageSize } from '../../lib/list/list-address.ts'

/** The notification history's address. */
export interface NotificationSearch extends ListPlace {
  /** The user whose notifications are shown; null for the viewer. */
  userId: string | null
}

/** Reads the parameters of the address. Invalid values become defaults. */
export function readNotificationSearch(parameters: AddressParameters): NotificationSearch {
  return {
    userId: readUserId(parameters.user),
    page: readPage(parameters.page),
    pageSize: readPageSize(parameters.pageSize),
  }
}

/** The inverse of readNotificationSearch. Omits defaults. */
export function writeNotificationSearch({ userId, page, pageSize }: NotificationSearch): Record<string, string> {
  return {
    ...(userId !== null && { user: userId }),
    ...(page > 1 && { page: String(page) }),
    ...(pageSize !== defaultPageSize && { pageSize: String(pageSize) }),
  }
}

/** Reads a user ID from the address; null for the viewer and for invalid values. */
export function readUserId(value: unknown): string | null {
  const text = asText(value)
  return /^\d{1,18}$/.test(text) ? text : null
}
