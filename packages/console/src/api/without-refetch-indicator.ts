type RefetchableQuery<Data> = { data: Data | undefined; isFetching: boolean; isPlaceholderData: boolean };

/** For lists that poll: hides `isFetching` during periodic refetches and shows it only when other rows are loading. */
export const withoutRefetchIndicator = <Query extends RefetchableQuery<unknown>>(query: Query): Query => ({
  ...query,
  isFetching: query.isFetching && (query.data === undefined || query.isPlaceholderData),
});
