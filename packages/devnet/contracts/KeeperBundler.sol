// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {InterestRatePool} from "./InterestRatePool.sol";

/// @title Settles many positions in one transaction. A reference for development; not audited.
contract KeeperBundler {
    /// @notice The pool whose positions are settled.
    InterestRatePool public immutable interestRatePool;

    /// @notice What must be left before each settlement. With less, one that only runs out of gas would look like one that cannot
    /// be settled, and a gas estimate would settle on exactly that.
    uint256 public constant SETTLE_GAS = 300_000;

    error NotEnoughGas();

    constructor(InterestRatePool pool) {
        interestRatePool = pool;
    }

    /// @notice Settles every position that can be settled now and passes over the rest.
    /// @dev What was settled shows in the pool's PositionSettled events.
    function settleMany(uint256[] calldata positionIds) external {
        for (uint256 i = 0; i < positionIds.length; ++i) {
            if (gasleft() < SETTLE_GAS) revert NotEnoughGas();
            try interestRatePool.settle(positionIds[i]) {} catch {}
        }
    }
}
