/** Not built yet. */
export function AuctionFormView() {
  return <h1>Auction</h1>
}
