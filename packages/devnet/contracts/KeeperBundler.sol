// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {InterestRatePool} from "./InterestRatePool.sol";

/// @title Settles many positions in one transaction. A reference for development; not audited.
contract KeeperBundler {
    /// @notice The pool whose positions are settled.
    InterestRatePool public immutable interestRatePool;

    /// @notice The gas that must remain before each settlement. Without this minimum, running out of gas would look like a position
    /// that cannot be settled, and gas estimation would pick a limit that causes it.
    uint256 public constant SETTLE_GAS = 300_000;

    error NotEnoughGas();

    constructor(InterestRatePool pool) {
        interestRatePool = pool;
    }

    /// @notice Settles all positions that can be settled and skips the rest.
    /// @dev The pool emits PositionSettled for each settled position.
    function settleMany(uint256[] calldata positionIds) external {
        for (uint256 i = 0; i < positionIds.length; ++i) {
            if (gasleft() < SETTLE_GAS) revert NotEnoughGas();
            try interestRatePool.settle(positionIds[i]) {} catch {}
        }
    }
}
