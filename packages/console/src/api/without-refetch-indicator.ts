type Asked<Data> = { data: Data | undefined; isFetching: boolean; isPlaceholderData: boolean };

/** What is asked again every few seconds is no news by itself: only other rows are announced as being loaded. */
export const withoutRefetchIndicator = <Query extends Asked<unknown>>(query: Query): Query => ({
  ...query,
  isFetching: query.isFetching && (query.data === undefined || query.isPlaceholderData),
});
