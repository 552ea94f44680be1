// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The interface through which the pool and the service read a lending protocol.
/// @notice All values include interest that the protocol has not accrued yet.
interface IRateAdapter {
    /// @notice The protocol has no such market.
    error MarketNotFound(bytes32 market);

    /// @notice The borrow rate that applies from this block, in WAD (1e18) per second.
    function ratePerSec(bytes32 market) external view returns (uint256);

    /// @notice The market's debt growth index, RAY (1e27). A debt grows by a factor of index(later) / index(earlier).
    function index(bytes32 market) external view returns (uint256);

    /// @notice The debt of `borrower`, in raw units of the loan token, rounded up.
    function debtOf(bytes32 market, address borrower) external view returns (uint256);
}
