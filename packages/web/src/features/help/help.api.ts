import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'

/**
 * The cookie that opens the help site. It lives one second longer than its token, and is renewed then (document 2
 * section 9), also while nobody looks: whoever comes back presses a link within the frame, of which the console hears nothing.
 */
export function helpCookieQuery() {
  return queryOptions({
    queryKey: ['help-cookie'] as const,
    queryFn: ({ signal }) => call('createHelpCookie', { signal }),
    // Each visit begins with a fresh one: somebody else may have signed in meanwhile.
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data === undefined ? false : (state.data.expiresIn + 1) * 1000),
    refetchIntervalInBackground: true,
  })
}
