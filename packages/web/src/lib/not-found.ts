import { ApiError } from './http.ts'

/** 404, and 400 for what is no id at all: to a person both are something that does not exist. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400)
}
