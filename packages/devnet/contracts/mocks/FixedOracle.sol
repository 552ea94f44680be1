// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A Morpho Blue oracle with a fixed price. For development only.
contract FixedOracle {
    /// @notice Raw loan-token units per raw unit of collateral, scaled by 1e36.
    uint256 public immutable price;

    constructor(uint256 fixedPrice) {
        price = fixedPrice;
    }
}
