// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRateAdapter} from "../interfaces/IRateAdapter.sol";

/// @title An adapter with a settable index, which is the same for all markets. For tests.
contract SettableRateAdapter is IRateAdapter {
    uint256 private _index = 1e27;

    function setIndex(uint256 newIndex) external {
        _index = newIndex;
    }

    /// @inheritdoc IRateAdapter
    function ratePerSec(bytes32) external pure returns (uint256) {
        return 0;
    }

    /// @inheritdoc IRateAdapter
    function index(bytes32) external view returns (uint256) {
        return _index;
    }

    /// @inheritdoc IRateAdapter
    function debtOf(bytes32, address) external pure returns (uint256) {
        return 0;
    }
}
