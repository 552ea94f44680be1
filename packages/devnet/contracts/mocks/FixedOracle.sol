// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A Morpho Blue oracle that never moves. For development only.
contract FixedOracle {
    /// @notice Raw loan-token units for one raw unit of collateral, times 1e36.
    uint256 public immutable price;

    constructor(uint256 fixedPrice) {
        price = fixedPrice;
    }
}
