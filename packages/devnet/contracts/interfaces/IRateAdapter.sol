// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title What the pool and the service know of a lending protocol.
/// @notice Every value is up to date: it includes the interest that the protocol has not written down yet.
interface IRateAdapter {
    /// @notice The protocol has no such market.
    error MarketNotFound(bytes32 market);

    /// @notice The borrow rate in force from this block on, WAD (1e18) per second.
    function ratePerSec(bytes32 market) external view returns (uint256);

    /// @notice The growth index of the market's debt, RAY (1e27): a debt grows by index(later) / index(earlier).
    function index(bytes32 market) external view returns (uint256);

    /// @notice What `borrower` owes, in raw units of the loan token, rounded up.
    function debtOf(bytes32 market, address borrower) external view returns (uint256);
}
